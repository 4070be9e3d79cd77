import { Predicate, Schema, SchemaAST } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"

const mark = "personalData"

/**
 * Marks a schema with private data about a student: `.annotate({ …, ...personalData })`. An e-mail address, a document
 * and the name of a student or of an author need no mark, since their fields have these names.
 */
export const personalData = { [mark]: true } as const

/** Fields that hold it, whatever they are in. */
const identifying: ReadonlySet<PropertyKey> = new Set(["email", "document"])

/** Fields that hold a person, who is named there. */
const persons: ReadonlySet<PropertyKey> = new Set(["student", "author"])

/** The schemas inside one, with its encoded form. */
const partsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  const encoded = (ast.encoding ?? []).map(({ to }) => to)
  switch (ast._tag) {
    case "Objects":
      return [...ast.propertySignatures, ...ast.indexSignatures].map(({ type }) => type).concat(encoded)
    case "Arrays":
      return [...ast.elements, ...ast.rest, ...encoded]
    case "Union":
      return [...ast.types, ...encoded]
    case "Declaration":
      return [...ast.typeParameters, ...encoded]
    case "Suspend":
      return [ast.thunk(), ...encoded]
    default:
      return encoded
  }
}

/** True if a schema, or one inside of it, passes. Schemas may contain themselves. */
const someSchema = (root: SchemaAST.AST, passes: (ast: SchemaAST.AST) => boolean): boolean => {
  const seen = new Set([root])
  for (const ast of seen) {
    if (passes(ast)) return true
    for (const part of partsOf(ast)) seen.add(part)
  }
  return false
}

const hasName = (ast: SchemaAST.AST) =>
  SchemaAST.isObjects(ast) && ast.propertySignatures.some(({ name }) => name === "name")

const isPersonal = (ast: SchemaAST.AST) =>
  SchemaAST.resolveAt<boolean>(mark)(ast) === true ||
  SchemaAST.isObjects(ast) &&
    ast.propertySignatures.some(({ name, type }) =>
      identifying.has(name) || persons.has(name) && someSchema(type, hasName)
    )

/** A stream's schema does not hold that of its events where other schemas hold their parts. */
const eventsOf = (schema: Schema.Top): Schema.Top =>
  Predicate.hasProperty(schema, "events") && Schema.isSchema(schema.events) ? schema.events : schema

const known = new WeakMap<Pick<HttpApiEndpoint.Top, "success">, boolean>()

/** True if an operation answers personal data of students, by the schemas of its answers. */
export const answersPersonalData = (endpoint: Pick<HttpApiEndpoint.Top, "success">): boolean => {
  const before = known.get(endpoint)
  if (before !== undefined) return before
  const answers = [...endpoint.success].some((schema) => someSchema(eventsOf(schema).ast, isPersonal))
  known.set(endpoint, answers)
  return answers
}
