import { assert, describe, it } from "@effect/vitest"
import { type Notice, placeOf } from "../../../../src/classroom/club/noticePlace.ts"
import { groupsOf } from "../../../../src/classroom/views/notifications/notices.ts"

const nowhere: Notice["target"] = {
  lesson_public_id: null,
  comment_id: null,
  post_id: null,
  conversation_id: null,
  live_id: null
}

const noticed = (id: string, day: string, isRead: boolean): Notice => ({
  id,
  kind: "reply",
  title: "Respirar",
  excerpt: null,
  actor_name: "Rita",
  actor_role: "staff",
  target: nowhere,
  created_at: `${day}T12:00:00.000Z`,
  read_at: isRead ? `${day}T13:00:00.000Z` : null
})

describe("A student's notifications", () => {
  it("show unread ones first, of any day, and the others by day", () => {
    const all = [
      noticed("a", "2027-01-03", true),
      noticed("b", "2027-01-03", false),
      noticed("c", "2027-01-02", true),
      noticed("d", "2027-01-01", false)
    ]
    assert.deepStrictEqual(
      groupsOf(all, (at) => at.slice(0, 10)).map(({ name, notices }) => [name, ...notices.map(({ id }) => id)]),
      [["unread", "b", "d"], ["2027-01-03", "a"], ["2027-01-02", "c"]]
    )
  })

  it("lead to their place", () => {
    const cases: ReadonlyArray<readonly [Partial<Notice["target"]>, string, string | null]> = [
      [{ lesson_public_id: "respirar", comment_id: "1" }, "lessons/respirar", "1"],
      [{ lesson_public_id: "respirar" }, "lessons/respirar", null],
      [{ post_id: "2", comment_id: "3" }, "community/posts/2", "3"],
      [{ conversation_id: "4" }, "support/4", null],
      [{ live_id: "5" }, "lives", null],
      [{}, "notifications", null]
    ]
    for (const [target, path, comment] of cases) {
      const place = placeOf({ target: { ...nowhere, ...target } })
      assert.deepStrictEqual([place.path.join("/"), place.comment], [path, comment])
    }
  })
})
