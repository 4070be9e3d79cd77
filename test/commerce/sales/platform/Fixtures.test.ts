import { assert, describe, it } from "@effect/vitest"
import { document, documentsIn, readBy, shown } from "./Fixture.ts"
import { fixtures } from "./Fixtures.ts"

describe.each(fixtures)("$platform.name", ({ bodies, platform }) => {
  it.each(bodies)("tells of $of", ({ body, headers, says }) => {
    assert.deepStrictEqual(shown(readBy(platform, body, headers)), says)
  })

  it("lists the events of which something follows, and no others", () => {
    const names = bodies.flatMap(({ says }) =>
      Array.isArray(says["facts"]) && says["facts"].length > 0 ? [says["event_name"]] : []
    )
    assert.sameMembers([...new Set(names)], [...platform.events])
  })

  it("tells the document in the open only to whoever asks for it", () => {
    const documents = bodies.flatMap(({ body, headers }) => documentsIn(readBy(platform, body, headers)))
    assert.isNotEmpty(documents)
    assert.deepStrictEqual([...new Set(documents)], [document])
    for (const { body, headers } of bodies) {
      assert.notInclude(JSON.stringify(readBy(platform, body, headers)), document)
    }
  })

  it("says what an administrator needs", () => {
    assert.isNotEmpty(platform.setup_steps)
    for (const step of platform.setup_steps) assert.match(step, /^[A-Z].{10,200}\.$/)
    assert.isNotEmpty(platform.signature)
  })
})
