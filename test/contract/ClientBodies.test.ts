import { assert, describe, it } from "@effect/vitest"
import { SchemaAST } from "effect"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { Contract } from "../../src/Contract.ts"
import { sentFor } from "../../src/platform/http/issues/Wording.ts"

interface Field {
  readonly name: string
  /** True if a body may omit it. */
  readonly isOptional: boolean
  /** True if a program that calls the typed client may omit it. */
  readonly mayBeLeftOut: boolean
}

const fieldsIn = (ast: SchemaAST.AST): ReadonlyArray<Field> => {
  switch (ast._tag) {
    case "Union":
      return ast.types.flatMap(fieldsIn)
    case "Arrays":
      return [...ast.elements, ...ast.rest].flatMap(fieldsIn)
    case "Objects":
      return ast.propertySignatures.flatMap(({ name, type }) => [
        {
          name: String(name),
          isOptional: SchemaAST.isOptional(sentFor(type)),
          mayBeLeftOut: SchemaAST.isOptional(type)
        },
        ...fieldsIn(type)
      ])
    default:
      return []
  }
}

const bodiesOf = ({ method, payload }: HttpApiEndpoint.Top) =>
  method === "GET" ? [] : [...payload.values()].flatMap(({ schemas }) => schemas.flatMap(({ ast }) => fieldsIn(ast)))

describe("The typed client", () => {
  it("demands of a body only what the API demands", () => {
    const fields: Array<Field & { readonly where: string }> = []
    HttpApi.reflect(Contract, {
      onGroup: () => {},
      onEndpoint: ({ endpoint, group }) => {
        const where = `${group.identifier}.${endpoint.identifier}`
        fields.push(...bodiesOf(endpoint).map((field) => ({ ...field, where })))
      }
    })
    assert.isAbove(fields.filter(({ isOptional }) => isOptional).length, 100)
    const demanded = fields.filter(({ isOptional, mayBeLeftOut }) => isOptional && !mayBeLeftOut)
    assert.deepStrictEqual(demanded.map(({ name, where }) => `${where}: ${name}`), [])
  })
})
