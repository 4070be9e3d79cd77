import { bodySchema, type JsonSchema, type Listed, resolve, sampleBody } from "./Document.ts"

/** Values that any client can send and no field expects. Lone halves of characters are escapes in JSON. */
const hostileValues: ReadonlyArray<unknown> = [
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udc00x",
  "",
  " ",
  "\u202e\u200b\ufeff",
  "' or 1=1; --",
  "$1 \\x00 %s {{7*7}} <script>",
  "👩‍👩‍👧‍👦".repeat(50),
  "é\u0301".repeat(3000),
  "x".repeat(120_000),
  "+275760-09-13T00:00:00.000Z",
  "0000-00-00T00:00:00Z",
  "9999-12-31T23:59:59.999Z",
  "018F0000-0000-7000-8000-000000000000",
  -1,
  0,
  0.1,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e308,
  true,
  null,
  [],
  [[]],
  {},
  { __proto__: null, constructor: 1 },
  Array.from({ length: 3000 }, () => "x"),
  Array.from({ length: 2 }, () => "018f0000-0000-7000-8000-000000000000")
]

/** The same as text for paths and queries, percent-encoded. */
export const hostileTexts: ReadonlyArray<string> = [
  ...hostileValues.filter((value) => typeof value === "string").filter((text) => text.length < 4000),
  "..%2f..%2fetc%2fpasswd",
  "-1",
  "1e9",
  "NaN",
  "99999999999999999999",
  "a".repeat(9000)
].filter((text) => text.isWellFormed()).map(encodeURIComponent)

const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

/** Cursors that look like ours. */
export const hostileCursors: ReadonlyArray<string> = [
  "",
  "x",
  "%00",
  json(null),
  json("\u0000"),
  ...hostileValues.map((id) => json({ id })).filter((cursor) => cursor.length < 9000),
  ...hostileValues.filter((at) => typeof at === "string" && at.length < 100).concat("-271821-04-20T00:00:00.000Z")
    .map((at) => json({ at, id: "018f0000-0000-7000-8000-000000000000" })),
  ...[-1, 0, 2 ** 31, 2 ** 53, 1e308].flatMap((number) => [
    ...["all", "7d", "30d"].map((period) =>
      json({ period, points: number, position: number, id: "018f0000-0000-7000-8000-000000000000" })
    ),
    json({ activity: number, number })
  ])
]

const words = new Set(["description", "example", "examples", "title"])

/** The kind of a place: its name and the schema that reads it, without the schema's words. */
export const kindOf = (name: string | number, schema: JsonSchema): string =>
  JSON.stringify([name, schema], (key, value) => words.has(key) ? undefined : value)

type Path = ReadonlyArray<string | number>

interface Place {
  readonly path: Path
  readonly schema: JsonSchema
}

/** Every place in a body of this schema, including its optional fields and the items of its lists. */
const placesIn = (given: JsonSchema): ReadonlyArray<Place> => {
  const schema = resolve(given)
  const { items, properties = {} } = schema
  const under = (key: string | number, inner: JsonSchema) =>
    placesIn(inner).map(({ path, schema }) => ({ path: [key, ...path], schema }))
  return [
    { path: [], schema },
    ...Object.entries(properties).flatMap(([key, inner]) => under(key, inner)),
    ...items === undefined ? [] : under(0, items)
  ]
}

/** The body with another value at that place, even if another kind of value is in the way. */
const put = (body: unknown, [key, ...rest]: Path, value: unknown): unknown => {
  if (key === undefined) return value
  if (typeof key === "number") return [put(Array.isArray(body) ? body[key] : undefined, rest, value)]
  return { ...Object(body), [key]: put(Object(body)[key], rest, value) }
}

/** Bodies of the operation with one hostile value each, by the kind of the place. `base` is a valid body. */
export const hostileBodies = (operation: Listed, base: unknown = sampleBody(operation)) => {
  const schemas = [bodySchema(operation) ?? {}].flatMap((schema) => schema.anyOf ?? [schema])
  const places = new Map(schemas.flatMap(placesIn).map((place) => [JSON.stringify(place.path), place]))
  return [...places.values()].map(({ path, schema }) => ({
    kind: kindOf(path.at(-1) ?? operation.name, schema),
    bodies: hostileValues.map((value) => put(base, path, value))
  }))
}
