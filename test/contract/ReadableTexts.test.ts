import { assert, it } from "@effect/vitest"
import { Option, Schema, SchemaAST } from "effect"
import { HttpApi } from "effect/http-api"
import { Api } from "../../src/Api.ts"
import { text } from "../../src/platform/http/Text.ts"

// Driven by the contract: every text that a person enters and others see has a visible character.

/** Invisible text of several lengths: spaces, zero-width characters, fillers, blanks, tags, selectors and controls. */
const nothings = [" ", "\u200b", "\u3164", "\u2800", "\u{e0041}", "\ufe0f", "\u00ad", "\n", "\u115f"]
  .flatMap((one) => [1, 3, 8, 40].map((times) => one.repeat(times)))

const takesNothing = (ast: SchemaAST.AST) => {
  const decode = Schema.decodeUnknownOption(Schema.make<Schema.Codec<unknown>>(ast))
  return nothings.some((nothing) => Option.isSome(decode(nothing)))
}

/** The fields below a schema that a request sends as text, by their path. */
const textsOf = (ast: SchemaAST.AST, path = "", above: ReadonlyArray<SchemaAST.AST> = []): ReadonlyArray<{
  readonly path: string
  readonly ast: SchemaAST.AST
}> => {
  if (above.includes(ast)) return []
  const below = (inner: SchemaAST.AST, name = path) => textsOf(inner, name, [...above, ast])
  if (SchemaAST.isString(SchemaAST.toEncoded(ast))) return [{ path, ast }]
  if (SchemaAST.isUnion(ast)) return ast.types.flatMap((type) => below(type))
  if (SchemaAST.isArrays(ast)) return [...ast.elements, ...ast.rest].flatMap((type) => below(type, `${path}[]`))
  if (SchemaAST.isSuspend(ast)) return below(ast.thunk())
  if (SchemaAST.isObjects(ast)) {
    return [
      ...ast.propertySignatures.flatMap(({ name, type }) => below(type, `${path}.${String(name)}`)),
      ...ast.indexSignatures.flatMap(({ type }) => below(type, `${path}.*`))
    ]
  }
  return (ast.encoding ?? []).flatMap(({ to }) => below(to))
}

interface Place {
  readonly operation: string
  readonly path: string
  readonly ast: SchemaAST.AST
}

const sent: Array<Place> = []
const answered: Array<Place> = []

HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, successes }) => {
    const operation = `${endpoint.method} ${endpoint.path}`
    for (const { schemas } of endpoint.payload.values()) {
      for (const { ast } of schemas) for (const text of textsOf(ast)) sent.push({ operation, ...text })
    }
    for (const schemas of successes.values()) {
      for (const { ast } of schemas) for (const text of textsOf(ast)) answered.push({ operation, ...text })
    }
  }
})

/** Fields that the service compares with a known value, passes on, or judges by another rule with its own code. */
const elsewhere: ReadonlySet<string> = new Set([
  ".code",
  ".current_password",
  ".device_code",
  ".next",
  ".password",
  ".registration_code",
  ".secret",
  ".token",
  ".user_code",
  ".headers.*",
  ".url",
  ".results[].receipt",
  ".results[].response_body",
  // A bad row of an import fails alone.
  ...["name", "email", "document", "delivery", "cohort", "expires_at"].map((field) => `.rows[].${field}`)
])

it("Every text of a request that others see has something to see in it", () => {
  assert.isAbove(sent.length, 100)
  const wrong = sent.filter(({ ast, path }) => !elsewhere.has(path) && takesNothing(ast))
  assert.deepStrictEqual(wrong.map(({ operation, path }) => `${operation} ${path}`), [])
})

it("Every text of an answer may be one from before that rule", () => {
  assert.isAbove(answered.length, 500)
  const expected = text(1, 40).ast.checks?.at(-1)?.annotations?.["expected"]
  assert.isString(expected)
  const wrong = answered.filter(({ ast }) =>
    ast.checks?.some(({ annotations }) => annotations?.["expected"] === expected)
  )
  assert.deepStrictEqual(wrong.map(({ operation, path }) => `${operation} ${path}`), [])
})
