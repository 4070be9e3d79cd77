import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { LiveAnnouncements } from "../../../src/learning/lives/LiveAnnouncements.ts"
import { AppLayer, enrolledStudent, foundClub, send } from "../../harness/App.ts"
import { makeEnrollment } from "../../harness/Makers.ts"
import { callsOf, listed } from "../../membership/notifications/Notified.ts"
import { announce, asStaff, close, deliver, open } from "./Live.ts"

/** Works until nothing is due, and answers the number of pages. */
const work = LiveAnnouncements.use(({ tick }) =>
  Effect.gen(function*() {
    for (let pages = 0;; pages++) if ((yield* tick) === 0) return pages
  })
)

const opened = Effect.gen(function*() {
  const club = yield* foundClub()
  return {
    club,
    ...callsOf(club),
    holder: Effect.fnUntraced(function*(delivery: Effect.Success<ReturnType<typeof deliver>>, given = {}) {
      const student = yield* enrolledStudent(club)
      yield* makeEnrollment(club, student, delivery, given)
      return student
    }),
    give: (delivery: { readonly id: string }, ...ids: ReadonlyArray<string>) =>
      send("PATCH", `${club.path}/deliveries/${delivery.id}`, {
        token: club.token,
        body: { items: ids.map((id) => ({ kind: "live", id })) }
      })
  }
})

/** A delivery that 1000 students have. */
const crowded = Effect.fnUntraced(function*(club: Parameters<typeof deliver>[0]) {
  const sql = yield* SqlClient.SqlClient
  const delivery = yield* deliver(club)
  const at = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`
    with made as (
      insert into students (club_id, id, email, name, created_at)
      select ${club.id}::uuid, gen_random_uuid(), n || '@' || ${club.id}, 'Bia', ${at} from generate_series(1, 1000) n
      returning id
    )
    insert into enrollments (club_id, id, student_id, delivery_id, source, starts_at, created_at)
    select ${club.id}::uuid, gen_random_uuid(), id, ${delivery.id}::uuid, 'grant', ${at}, ${at} from made`
  return delivery
})

layer(AppLayer)("A live that a delivery contains anew", (it) => {
  it.effect("notifies the students who have the delivery now, once", () =>
    Effect.gen(function*() {
      const { club, give, holder, kinds, own } = yield* opened
      const [one, other] = [yield* deliver(club), yield* deliver(club)]
      const ana = yield* holder(one)
      yield* makeEnrollment(club, ana, other)
      const now = yield* DateTime.now
      const tomorrow = DateTime.add(now, { days: 1 })
      const others = [
        yield* enrolledStudent(club),
        yield* holder(one, { starts_at: tomorrow }),
        yield* holder(one, { revoked_at: now, revoke_reason: "manual" })
      ]
      const id = yield* announce(club, { description: "Tragam o violão" })
      for (const delivery of [one, other, one]) {
        yield* give(delivery, id)
        yield* work
      }
      assert.deepStrictEqual(
        listed((yield* own(ana)).json, "kind", "title", "excerpt", "target.live_id", "actor_role"),
        [
          ["live", "Roda de violão", "Tragam o violão", id, null]
        ]
      )
      for (const student of others) assert.deepStrictEqual(yield* kinds(student), [])
    }))

  it.effect("notifies again of no live that the delivery had before", () =>
    Effect.gen(function*() {
      const { club, give, holder, kinds } = yield* opened
      const first = yield* announce(club)
      const delivery = yield* deliver(club, first)
      yield* work
      const late = yield* holder(delivery)
      yield* give(delivery, first, yield* announce(club))
      yield* work
      assert.deepStrictEqual(yield* kinds(late), ["live"])
    }))

  it.effect("notifies nobody if it has ended", () =>
    Effect.gen(function*() {
      const { club, give, holder, kinds } = yield* opened
      const delivery = yield* deliver(club)
      const ana = yield* holder(delivery)
      const id = yield* announce(club)
      yield* open(club, id)
      yield* close(club, id)
      yield* give(delivery, id)
      yield* work
      assert.deepStrictEqual(yield* kinds(ana), [])
    }))

  it.effect("is in no notification once it is deleted", () =>
    Effect.gen(function*() {
      const { club, give, holder, kinds } = yield* opened
      const delivery = yield* deliver(club)
      const ana = yield* holder(delivery)
      const id = yield* announce(club)
      yield* give(delivery, id)
      yield* work
      yield* asStaff(club, "DELETE", `/${id}`)
      yield* work
      assert.deepStrictEqual(yield* kinds(ana), [])
    }))

  it.effect("notifies a large class page by page, and takes it back so", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, give } = yield* opened
      const delivery = yield* crowded(club)
      const count = Effect.map(
        sql`select count(distinct student_id)::int as students, count(*)::int as notifications
          from notifications where club_id = ${club.id}`,
        ([row]) => row
      )
      const id = yield* announce(club)
      yield* give(delivery, id)
      assert.strictEqual(yield* work, 3)
      assert.deepStrictEqual(yield* count, { students: 1000, notifications: 1000 })
      yield* asStaff(club, "DELETE", `/${id}`)
      assert.strictEqual(yield* work, 3)
      assert.deepStrictEqual(yield* count, { students: 0, notifications: 0 })
    }))
})

layer(AppLayer)("A live of a large class", (it) => {
  it.effect("lets another club's live go between two pages", () =>
    Effect.gen(function*() {
      const [large, small] = [yield* opened, yield* opened]
      const [crowd, delivery] = [yield* crowded(large.club), yield* deliver(small.club)]
      const ana = yield* small.holder(delivery)
      yield* large.give(crowd, yield* announce(large.club))
      yield* TestClock.adjust("1 second")
      yield* small.give(delivery, yield* announce(small.club))
      yield* TestClock.adjust("1 second")
      const { tick } = yield* LiveAnnouncements
      yield* tick
      yield* tick
      assert.deepStrictEqual(yield* small.kinds(ana), ["live"])
    }))
})

layer(AppLayer)("A live whose students cannot be notified", (it) => {
  it.effect("waits a minute, and delays no other", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, give, holder, kinds } = yield* opened
      const [broken, whole] = [yield* deliver(club), yield* deliver(club)]
      const [ana, bia] = [yield* holder(broken), yield* holder(whole)]
      yield* give(broken, yield* announce(club, { title: "Quebrada" }))
      yield* give(whole, yield* announce(club))
      yield* sql`alter table notifications add constraint breaks check (title <> 'Quebrada') not valid`
      yield* Effect.ensuring(work, Effect.orDie(sql`alter table notifications drop constraint breaks`))
      assert.deepStrictEqual([yield* kinds(ana), yield* kinds(bia)], [[], ["live"]])
      yield* TestClock.adjust("1 minute")
      yield* work
      assert.deepStrictEqual(yield* kinds(ana), ["live"])
    }))
})
