import { assert, layer } from "@effect/vitest"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { EventId } from "../../../../src/events/EventType.ts"
import type { StudentId } from "../../../../src/identity/ids/StudentId.ts"
import type { DeliveryQuery } from "../../../../src/webhooks/history/delivery/Delivery.ts"
import { DeliveryHistory } from "../../../../src/webhooks/history/delivery/DeliveryHistory.ts"
import type { EndpointId } from "../../../../src/webhooks/model/EndpointId.ts"
import { makeStudent } from "../../../harness/Makers.ts"
import { touchedBy } from "../../../harness/PagesRead.ts"
import { ago, ended, makeDelivery } from "../../engine/retention/Rows.ts"
import { foundOnSaturday, register, WebhooksLayer } from "../../Registering.ts"

// Takes long: 100,000 deliveries are written first.

const many = 100_000
const statuses = ["pending", "succeeded", "failed", "canceled"] as const

/** A club with two endpoints: 100 000 deliveries of one type about one student within 100 seconds, and a few others. */
const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const club = yield* foundOnSaturday
  const [busy, quiet] = [yield* register(club), yield* register(club)]
  const [most, other] = [yield* makeStudent(club), yield* makeStudent(club)]
  const about = { student_id: other.id }
  const old = yield* makeDelivery(quiet, ago("30 hours"), {
    event_type: "purchase.refunded",
    ...ended("failed"),
    ...about
  })
  const waiting = yield* makeDelivery(busy, ago("20 hours"), about)
  const made = sql`${DateTime.toEpochMillis(ago("10 hours"))}::bigint - n`
  const at = sql`to_timestamp((${made}) / 1000.0)`
  yield* sql`
    insert into webhook_deliveries (
      club_id, endpoint_id, id, event_id, event_type, student_id, status, trigger, created_at, finished_at
    )
    select ${club.id}::uuid, ${busy.endpoint_id}::uuid,
      (lpad(to_hex(${made}), 12, '0') || '70008' || substr(md5(n::text), 1, 15))::uuid, gen_random_uuid(),
      'lesson.completed', ${most.id}::uuid, 'succeeded', 'schedule', ${at}, ${at}
    from generate_series(1, ${many}::int) n`
  const newest = yield* makeDelivery(quiet, ago("1 hours"), { ...ended("succeeded"), ...about })
  yield* sql`analyze`
  return { club, busy, quiet, most, other, old, waiting, newest }
})

class Large extends Context.Service<Large, Effect.Success<typeof make>>()("test/Large") {
  static readonly layer = Layer.effect(Large, make).pipe(Layer.provideMerge(WebhooksLayer))
}

layer(Large.layer)("Of a club with 100 000 deliveries", (it) => {
  it.effect("no page looks at more than 15 000, of an endpoint 25 000, whatever is asked for", () =>
    Effect.gen(function*() {
      const { busy, club, most, newest, other } = yield* Large
      const history = yield* DeliveryHistory
      const [since, until] = [ago("620 minutes"), ago("602 minutes")]
      const event_id = EventId.make(newest.event_id)
      const aboutStudent = (student_id: StudentId): ReadonlyArray<Partial<DeliveryQuery>> => [
        { student_id },
        ...statuses.map((status) => ({ student_id, status })),
        { student_id, event_type: "purchase.paid" },
        { student_id, since },
        { student_id, until }
      ]
      const asked: ReadonlyArray<Partial<DeliveryQuery>> = [
        {},
        ...statuses.map((status) => ({ status })),
        { event_type: "purchase.refunded" },
        { event_type: "purchase.paid" },
        { event_type: "purchase.paid", status: "failed" },
        { event_type: "purchase.paid", status: "pending" },
        ...aboutStudent(most.id),
        ...aboutStudent(other.id),
        { event_id },
        { event_id, event_type: "purchase.paid" },
        { since },
        { until },
        { since, until },
        { since, until, event_type: "purchase.paid" }
      ]
      for (const query of asked) {
        const name = JSON.stringify(query)
        const whole = { limit: 25, ...query }
        const [, ofAll] = yield* touchedBy(history.listAll(club.id, whole), /webhook_deliveries/)
        const [, ofOne] = yield* touchedBy(history.list(club.id, busy.endpoint_id, whole), /webhook_deliveries/)
        assert.isBelow(ofAll.rows, 15_100, `all ${name}`)
        assert.isBelow(ofOne.rows, 25_100, `one ${name}`)
      }
    }))

  it.effect("page after page finds all that is asked for, and nothing else", () =>
    Effect.gen(function*() {
      const { busy, club, most, newest, old, other, waiting } = yield* Large
      const history = yield* DeliveryHistory
      /** The deliveries found, and the number of pages. */
      const found = Effect.fnUntraced(function*(query: Partial<DeliveryQuery>, endpoint_id?: EndpointId) {
        const ids: Array<string> = []
        let cursor: string | null | undefined
        let pages = 0
        while (cursor !== null) {
          const whole = { limit: 25, ...query, ...(cursor === undefined ? {} : { cursor }) }
          const page = yield* endpoint_id === undefined
            ? history.listAll(club.id, whole)
            : history.list(club.id, endpoint_id, whole)
          ids.push(...page.data.map(({ id }) => id))
          cursor = page.next_cursor
          pages++
        }
        return { ids, pages }
      })
      assert.deepStrictEqual(yield* found({ until: ago("602 minutes") }), { ids: [waiting.id, old.id], pages: 9 })
      assert.deepStrictEqual(yield* found({ until: ago("602 minutes") }, busy.endpoint_id), {
        ids: [waiting.id],
        pages: 5
      })
      assert.deepStrictEqual(yield* found({ since: ago("599 minutes") }), { ids: [newest.id], pages: 9 })
      assert.deepStrictEqual(yield* found({ student_id: other.id }), {
        ids: [newest.id, waiting.id, old.id],
        pages: 1
      })
      assert.deepStrictEqual(yield* found({ student_id: most.id, event_type: "purchase.paid" }), { ids: [], pages: 7 })
      assert.deepStrictEqual(yield* found({ student_id: most.id, status: "pending" }, busy.endpoint_id), {
        ids: [],
        pages: 5
      })
    }))
})

layer(Large.layer)("Of a club in which 100 000 deliveries wait", (it) => {
  it.effect("no page looks at all that waits, and page after page finds it", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { busy, club, newest, waiting } = yield* Large
      const history = yield* DeliveryHistory
      yield* sql`
        update webhook_deliveries set status = 'pending', next_attempt_at = created_at, finished_at = null
        where endpoint_id = ${busy.endpoint_id}`
      yield* sql`vacuum (analyze) webhook_deliveries`
      const query = { limit: 25, status: "pending" } as const
      const [first, ofAll] = yield* touchedBy(history.listAll(club.id, query), /webhook_deliveries/)
      const [same, ofOne] = yield* touchedBy(history.list(club.id, busy.endpoint_id, query), /webhook_deliveries/)
      assert.isBelow(ofAll.rows, 30_100)
      assert.isBelow(ofOne.rows, 30_100)
      assert.deepStrictEqual(same.data, first.data)
      assert.lengthOf(first.data, 25)
      assert.notInclude(first.data.map(({ id }) => id), newest.id)
      const last = yield* history.list(club.id, busy.endpoint_id, { ...query, until: ago("15 hours") })
      const rest = yield* history.list(club.id, busy.endpoint_id, { ...query, cursor: first.next_cursor ?? "" })
      assert.deepStrictEqual(last.data.map(({ id }) => id), [waiting.id])
      assert.lengthOf(new Set([...first.data, ...rest.data].map(({ id }) => id)), 50)
    }))
})
