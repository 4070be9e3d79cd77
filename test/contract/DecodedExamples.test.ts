import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { HttpApi, type HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { Api } from "../../src/Api.ts"
import { at } from "../harness/App.ts"
import { operations } from "../harness/Document.ts"

// Decodes each example with the schema that reads requests, or that the typed client reads answers with. These schemas
// check more than JSON Schema can express.

const json = "application/json"
const byName = new Map(operations.map((operation) => [operation.name, operation]))

interface Shown {
  readonly where: string
  readonly schemas: ReadonlyArray<Schema.Top>
  readonly example: unknown
}

const sent = (name: string, { payload }: HttpApiEndpoint.Top): ReadonlyArray<Shown> => {
  const schemas = payload.get(json)?.schemas
  if (schemas === undefined) return []
  const example = at(byName.get(name)?.requestBody, "content", json, "example")
  return [{ where: `${name} takes`, schemas, example }]
}

const answered = (name: string, successes: ReadonlyMap<number, ReadonlyArray<Schema.Top>>): ReadonlyArray<Shown> =>
  // Status 503 of the readiness probe is a success in its schema, but the description has no example of it.
  [...successes].filter(([status]) => status < 300).flatMap(([status, schemas]) => {
    const media = byName.get(name)?.responses[status]?.content?.[json]
    return media === undefined ? [] : [{ where: `${name} answers ${status}`, schemas, example: at(media, "example") }]
  })

const shown: Array<Shown> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, successes }) => {
    const name = `${endpoint.method} ${endpoint.path}`.replace(/:(\w+)/g, "{$1}")
    shown.push(...sent(name, endpoint), ...answered(name, successes))
  }
})

/** A schema of the contract needs no service. One that did would fail here. */
const decode = (schema: Schema.Top, example: unknown) => {
  const { ast } = HttpApiSchema.isWithHeaders(schema) ? schema.schema : schema
  return Schema.decodeUnknownEffect(Schema.make<Schema.Decoder<unknown>>(ast), { onExcessProperty: "error" })(example)
}

describe("Every example", () => {
  it.effect("of a request and an answer is read by its own schema, and has no field that is not in it", () =>
    Effect.gen(function*() {
      assert.isAbove(shown.length, 300)
      const faults = yield* Effect.forEach(
        shown,
        ({ example, schemas, where }) =>
          Effect.firstSuccessOf(schemas.map((schema) => decode(schema, example)))
            .pipe(Effect.match({ onSuccess: () => [], onFailure: ({ message }) => [`${where}: ${message}`] }))
      )
      assert.deepStrictEqual(faults.flat(), [])
    }))
})
