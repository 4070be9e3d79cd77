import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { field } from "../../../src/platform/http/Field.ts"

const Part = Schema.Struct({ at: Schema.DateTimeUtcFromString.pipe(field("When", "2026-01-31T12:00:00.000Z")) })
  .annotate({ identifier: "Part", description: "A part" })

const { components, paths } = OpenApi.fromApi(HttpApi.make("api").add(HttpApiGroup.make("group").add(
  HttpApiEndpoint.get("plain", "/plain", { success: Part }),
  HttpApiEndpoint.get("used", "/used", {
    success: Schema.Struct({
      one: Part.pipe(field("One of them")),
      many: Schema.Array(Part).pipe(field("All of them")),
      perhaps: Schema.NullOr(Part).pipe(field("Null without one")),
      count: Schema.optionalKey(Schema.NumberFromString).pipe(field("How many there are", "3"))
    })
  })
)))

const used = JSON.stringify(paths["/used"]?.get?.responses[200])

describe("The description of a field", () => {
  it("stands beside a named schema, which stays the one that it is elsewhere", () => {
    assert.deepStrictEqual(Object.keys(components.schemas), ["Part"])
    for (const description of ["One of them", "All of them", "Null without one"]) assert.include(used, description)
  })

  it("is of what is sent, as its example is", () => {
    assert.include(used, "{\"description\":\"How many there are\",\"examples\":[\"3\"]}")
    assert.include(JSON.stringify(components.schemas["Part"]), "2026-01-31T12:00:00.000Z")
  })
})
