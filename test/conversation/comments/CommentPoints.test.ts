import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AppLayer, send } from "../../harness/App.ts"
import { type CommentsClub, idOf, openCommentsClub, paid } from "./CommentsClub.ts"

const links = "http://a.example http://b.example http://c.example http://d.example"

const inZone = Effect.fnUntraced(function*({ id }: CommentsClub, time_zone: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update clubs set time_zone = ${time_zone} where id = ${id}`
})

layer(AppLayer)("Points for comments", (it) => {
  it.effect("are paid five times a day, and again on the next day of the club", () =>
    Effect.gen(function*() {
      // 22:00 in São Paulo, where the day has two hours left.
      yield* TestClock.setTime(Date.parse("2026-03-02T01:00:00Z"))
      const club = yield* openCommentsClub
      yield* inZone(club, "America/Sao_Paulo")
      for (let count = 0; count < 7; count++) yield* club.comment(club.ana, `${count}`)
      assert.lengthOf(yield* paid(club.ana), 5)
      yield* TestClock.adjust("1 hour")
      const beyond = idOf(yield* club.comment(club.ana, "23:00"))
      assert.lengthOf(yield* paid(club.ana), 5)
      yield* TestClock.adjust("90 minutes")
      const next = idOf(yield* club.comment(club.ana, "00:30"))
      const entries = yield* paid(club.ana)
      assert.lengthOf(entries, 6)
      assert.deepStrictEqual(entries[0], ["comment_posted", next])
      // The comment never waited, so its approval pays nothing on the new day.
      yield* club.moderate(beyond, { pending: false })
      assert.lengthOf(yield* paid(club.ana), 6)
    }))
})

/** The owner changes the club's time zone. */
const choose = (club: CommentsClub, time_zone: string) =>
  send("PATCH", club.path, { token: club.token, body: { time_zone } })

layer(AppLayer)("Another time zone of the club", (it) => {
  it.effect("pays no comment of a day that has paid five", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.parse("2026-03-02T20:00:00Z"))
      const club = yield* openCommentsClub
      for (let count = 0; count < 6; count++) yield* club.comment(club.ana, `${count}`)
      for (const time_zone of ["Pacific/Kiritimati", "Pacific/Niue", "UTC", "Pacific/Kiritimati"]) {
        yield* choose(club, time_zone)
        yield* club.comment(club.ana, time_zone)
        assert.lengthOf(yield* paid(club.ana), 5, time_zone)
      }
      yield* TestClock.adjust("15 hours")
      yield* club.comment(club.ana, "Amanhã")
      assert.lengthOf(yield* paid(club.ana), 6)
    }))
})

layer(AppLayer)("A comment that waits", (it) => {
  it.effect("pays when the staff lets it stand, and only then and once", () =>
    Effect.gen(function*() {
      const { ana, comment, moderate } = yield* openCommentsClub
      const id = idOf(yield* comment(ana, links))
      assert.isEmpty(yield* paid(ana))
      yield* moderate(id, { pending: false, spam: true })
      assert.isEmpty(yield* paid(ana))
      yield* moderate(id, { pending: true, spam: false })
      for (const pending of [false, true, false]) yield* moderate(id, { pending })
      assert.deepStrictEqual(yield* paid(ana), [["comment_posted", id]])
    }))

  it.effect("and is spam pays when it is neither any more, whichever ends last", () =>
    Effect.gen(function*() {
      const { ana, comment, moderate } = yield* openCommentsClub
      const [one, other] = [idOf(yield* comment(ana, links)), idOf(yield* comment(ana, links))]
      for (const id of [one, other]) yield* moderate(id, { spam: true })
      yield* moderate(one, { pending: false })
      yield* moderate(other, { spam: false })
      assert.isEmpty(yield* paid(ana))
      yield* moderate(one, { spam: false })
      yield* moderate(other, { pending: false })
      assert.deepStrictEqual(yield* paid(ana), [["comment_posted", other], ["comment_posted", one]])
    }))

  it.effect("that was paid before pays nothing more", () =>
    Effect.gen(function*() {
      const { ana, comment, moderate } = yield* openCommentsClub
      const id = idOf(yield* comment(ana, "x"))
      yield* moderate(id, { pending: true })
      yield* moderate(id, { pending: false })
      assert.lengthOf(yield* paid(ana), 1)
    }))

  it.effect("pays nothing for what the staff marks otherwise", () =>
    Effect.gen(function*() {
      const { ana, comment, moderate } = yield* openCommentsClub
      const id = idOf(yield* comment(ana, links))
      yield* moderate(id, { pinned: true, answered: true })
      assert.isEmpty(yield* paid(ana))
    }))
})

layer(AppLayer)("Replies of students", (it) => {
  it.effect("pay as comments do", () =>
    Effect.gen(function*() {
      const { ana, bia, comment } = yield* openCommentsClub
      const parent_id = idOf(yield* comment(ana, "x"))
      const reply = idOf(yield* comment(bia, { body: "y", parent_id }))
      assert.deepStrictEqual(yield* paid(bia), [["comment_posted", reply]])
    }))
})
