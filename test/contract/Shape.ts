/** Lists the faults of a value, each with its path first. Empty if the value has the shape. */
export type Shape = (value: unknown, path?: string) => ReadonlyArray<string>

const shape = (what: string, is: (value: unknown) => boolean): Shape => (value, path = "data") =>
  is(value) ? [] : [`${path}: not ${what}`]

const uuidText = (version: number) =>
  new RegExp(`^[0-9a-f]{8}-[0-9a-f]{4}-${version}[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
const uuidOf = (version: number) =>
  shape(`a UUID, version ${version}`, (value) => typeof value === "string" && uuidText(version).test(value))
const timestampText = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

export const string = shape("a string", (value) => typeof value === "string")
export const boolean = shape("a boolean", (value) => typeof value === "boolean")
export const integer = shape("an integer", Number.isSafeInteger)

/** The id of anything except a club. */
export const uuid = uuidOf(7)

/** The id of a club: random, so that it reveals nothing. */
export const randomUuid = uuidOf(4)

/** ISO 8601 in UTC with milliseconds. */
export const timestamp = shape("a timestamp", (value) => typeof value === "string" && timestampText.test(value))

export const oneOf = (...values: ReadonlyArray<unknown>) =>
  shape(`one of ${values.join(", ")}`, (value) => values.includes(value))

export const nullOr = (other: Shape): Shape => (value, path) => value === null ? [] : other(value, path)

/** Not empty: an empty list would show nothing about its items. */
export const listOf = (item: Shape): Shape => (value, path = "data") =>
  Array.isArray(value) && value.length > 0
    ? value.flatMap((element, index) => item(element, `${path}[${index}]`))
    : [`${path}: not a list with items`]

/** An empty list. */
export const none: Shape = (value, path = "data") =>
  Array.isArray(value) && value.length === 0 ? [] : [`${path}: not empty`]

/** Like `listOf`, but may be empty if the test has checked the items elsewhere. */
export const anyOf = (item: Shape): Shape => (value, path) =>
  none(value, path).length === 0 ? [] : listOf(item)(value, path)

/** Exactly these fields: all are present, and there is no other. */
export const record = (fields: Readonly<Record<string, Shape>>): Shape => (value, path = "data") => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [`${path}: not a record`]
  const found = new Map<string, unknown>(Object.entries(value))
  return [
    ...[...found.keys()].filter((key) => !(key in fields)).map((key) => `${path}.${key}: invented`),
    ...Object.entries(fields).flatMap(([key, field]) =>
      found.has(key) ? field(found.get(key), `${path}.${key}`) : [`${path}.${key}: missing`]
    )
  ]
}
