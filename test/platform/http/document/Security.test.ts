import { assert, describe, it } from "@effect/vitest"
import { withUsualSecurity } from "../../../../src/platform/http/document/Security.ts"

const people = [{ userSession: [] }]
const keys = [{ userSession: [] }, { clubKey: [] }]

describe("The security of most operations", () => {
  it("is the document's, and that of the others stays theirs, none at all too", () => {
    assert.deepStrictEqual(
      withUsualSecurity({
        "/a": { get: { security: keys }, put: { security: people } },
        "/b": { get: { security: keys }, post: { security: [] } }
      }),
      {
        security: keys,
        paths: { "/a": { get: {}, put: { security: people } }, "/b": { get: {}, post: { security: [] } } }
      }
    )
  })

  it("is never had by an operation that has none", () => {
    const { paths, security } = withUsualSecurity<{ readonly security?: typeof keys }>({
      "/a": { get: { security: keys }, put: { security: keys }, post: {} }
    })
    assert.deepStrictEqual<unknown>({ paths, security }, {
      paths: { "/a": { get: {}, put: {}, post: { security: [] } } },
      security: keys
    })
  })
})
