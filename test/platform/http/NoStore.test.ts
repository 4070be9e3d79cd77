import { assert, describe, it } from "@effect/vitest"
import { HttpApi } from "effect/http-api"
import { Api } from "../../../src/Api.ts"
import { NoStore } from "../../../src/platform/http/NoStore.ts"
import { document, operations, type Response } from "../../harness/Document.ts"

/** The names of all schemas that this one contains. */
const namedIn = (schema: unknown, names = new Set<string>()): ReadonlySet<string> => {
  JSON.stringify(schema, (key, value: unknown) => {
    const name = key === "$ref" ? String(value).split("/").at(-1) ?? "" : ""
    if (name !== "" && !names.has(name)) {
      names.add(name)
      namedIn(document.components.schemas[name], names)
    }
    return value
  })
  return names
}

/** The schemas with an address that works without a login. */
const addresses = ["AskImage", "MediaUpload", "ShownMedia"]

const answers = (responses: Record<string, Response>) => responses["200"] ?? responses["201"] ?? responses["202"]

describe("An answer with an address that whoever has it can use", () => {
  const kept = new Set<string>()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, middleware }) => {
      const name = `${endpoint.method} ${endpoint.path}`.replace(/:(\w+)/g, "{$1}")
      if (![...middleware].some(({ key }) => key === NoStore.key)) kept.add(name)
    }
  })

  it("is stored nowhere on its way", () => {
    const secret = operations.filter(({ responses }) => {
      const named = namedIn(answers(responses))
      return addresses.some((name) => named.has(name))
    })
    assert.isAtLeast(secret.length, 20)
    assert.deepStrictEqual(secret.filter(({ name }) => kept.has(name)).map(({ name }) => name), [])
  })
})
