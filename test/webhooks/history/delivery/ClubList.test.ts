import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { at, outcome, send } from "../../../harness/App.ts"
import { makeStudent } from "../../../harness/Makers.ts"
import { ago, ended, idAt, makeDelivery } from "../../engine/retention/Rows.ts"
import { foundOnSaturday, idsIn, list, register, type Registered, WebhooksLayer } from "../../Registering.ts"

const listAll = ({ club, token }: Registered, query = "") =>
  send("GET", `${club.path}/webhook-deliveries${query}`, { token })

/** The ids of all pages. */
const pages = Effect.fnUntraced(function*(endpoint: Registered, filter: string, most = 40) {
  const seen: Array<ReadonlyArray<unknown>> = []
  let cursor = ""
  while (cursor !== "null" && seen.length < most) {
    const answer = yield* listAll(endpoint, `?limit=4&${filter}${cursor === "" ? "" : `&cursor=${cursor}`}`)
    seen.push(idsIn(answer))
    cursor = String(at(answer.json, "next_cursor"))
  }
  return seen
})

const types = ["student.created", "purchase.paid"]
const states: ReadonlyArray<Partial<ReturnType<typeof ended>>> = [{}, ended("succeeded"), ended("failed")]

/** Deliveries of two types, three states and two students, in a club with three endpoints. One endpoint is deleted. */
const mixed = Effect.gen(function*() {
  const club = yield* foundOnSaturday
  const endpoints = [yield* register(club), yield* register(club), yield* register(club)] as const
  const students = [yield* makeStudent(club), yield* makeStudent(club)] as const
  const made: Array<Record<string, string>> = []
  for (let n = 0; n < 60; n++) {
    const endpoint = endpoints[n % 7 % 3] ?? endpoints[0]
    const state = states[n % 5 % 3] ?? {}
    const event_type = types[n % 2] ?? ""
    const student_id = (students[n % 11 % 2] ?? students[0]).id
    const { event_id, id } = yield* makeDelivery(endpoint, ago({ minutes: 60 - n }), {
      ...state,
      event_type,
      student_id
    })
    const status = state.status ?? "pending"
    made.unshift({ id, event_id, event_type, student_id, status, endpoint_id: endpoint.endpoint_id })
  }
  yield* send("DELETE", endpoints[2].path, { token: club.token })
  const stranger = yield* register(yield* foundOnSaturday)
  yield* makeDelivery(stranger, ago("1 minutes"))
  return { endpoints, made, students, stranger }
})

layer(WebhooksLayer)("The deliveries to all endpoints of a club", (it) => {
  it.effect("are those of each together, newest first, deleted endpoints' too, whatever is asked for", () =>
    Effect.gen(function*() {
      const { endpoints: [one, , gone], made, students: [student] } = yield* mixed
      // Pending deliveries of the deleted endpoint are canceled by now.
      const now = made.map((delivery) =>
        delivery["endpoint_id"] === gone.endpoint_id && delivery["status"] === "pending"
          ? { ...delivery, status: "canceled" }
          : delivery
      )
      const wanted: ReadonlyArray<Record<string, string>> = [
        {},
        ...["pending", "succeeded", "failed", "canceled"].flatMap((status) => [
          { status },
          { status, event_type: "purchase.paid" },
          { status, student_id: student.id },
          { status, endpoint_id: one.endpoint_id }
        ]),
        { event_type: "student.created" },
        { endpoint_id: gone.endpoint_id },
        { student_id: student.id, endpoint_id: one.endpoint_id },
        { student_id: student.id, event_type: "purchase.paid" }
      ]
      for (const filter of wanted) {
        const passing = now.filter((delivery) =>
          Object.entries(filter).every(([name, value]) => delivery[name] === value)
        )
        const query = new URLSearchParams(filter).toString()
        assert.deepStrictEqual((yield* pages(one, query)).flat(), passing.map(({ id }) => id), query)
      }
    }))

  it.effect("are those of a time, before and after", () =>
    Effect.gen(function*() {
      const { endpoints: [one], made } = yield* mixed
      const moment = encodeURIComponent(DateTime.formatIso(ago({ minutes: 30 })))
      const ids = made.map(({ id }) => id)
      assert.deepStrictEqual((yield* pages(one, `since=${moment}`)).flat(), ids.slice(0, 30))
      assert.deepStrictEqual((yield* pages(one, `until=${moment}`)).flat(), ids.slice(30))
    }))

  it.effect("are found by their event, there and at their endpoint", () =>
    Effect.gen(function*() {
      const { endpoints: [one, other], made, stranger } = yield* mixed
      const event_id = yield* idAt(ago("2 minutes"))
      const both = [
        yield* makeDelivery(one, ago("2 minutes"), { event_id }),
        yield* makeDelivery(other, ago("1 minutes"), { event_id })
      ] as const
      assert.deepStrictEqual(idsIn(yield* listAll(one, `?event_id=${event_id}`)), [both[1].id, both[0].id])
      assert.deepStrictEqual(idsIn(yield* list(one, `?event_id=${event_id}`)), [both[0].id])
      assert.deepStrictEqual(idsIn(yield* list(one, `?event_id=${event_id}&status=failed`)), [])
      assert.deepStrictEqual(idsIn(yield* listAll(stranger, `?event_id=${event_id}`)), [])
      assert.deepStrictEqual(idsIn(yield* listAll(stranger, `?event_id=${made[0]?.["event_id"]}`)), [])
    }))

  it.effect("are none for an endpoint of another club, and 422 for what is no id", () =>
    Effect.gen(function*() {
      const { endpoints: [one], stranger } = yield* mixed
      assert.deepStrictEqual(idsIn(yield* listAll(one, `?endpoint_id=${stranger.endpoint_id}`)), [])
      assert.deepStrictEqual(outcome(yield* listAll(one, "?endpoint_id=x")), [422, "validation_failed"])
      assert.deepStrictEqual(outcome(yield* listAll(one, "?cursor=x")), [400, "invalid_cursor"])
    }))
})

/** This many accepted deliveries, a millisecond apart. The last one is at the given time. */
const fill = Effect.fnUntraced(function*({ club_id, endpoint_id }: Registered, count: number, before: DateTime.Utc) {
  const sql = yield* SqlClient.SqlClient
  const made = sql`${DateTime.toEpochMillis(before)}::bigint - n`
  const moment = sql`to_timestamp((${made}) / 1000.0)`
  yield* sql`
    insert into webhook_deliveries (
      club_id, endpoint_id, id, event_id, event_type, status, trigger, created_at, finished_at, last_duration_ms
    )
    select ${club_id}::uuid, ${endpoint_id}::uuid,
      (lpad(to_hex(${made}), 12, '0') || '70008' || substr(md5(n::text), 1, 15))::uuid,
      gen_random_uuid(), 'lesson.completed', 'succeeded', 'schedule', ${moment}, ${moment}, 1
    from generate_series(1, ${count}::int) n`
})

layer(WebhooksLayer)("Of endpoints with 30 000 deliveries", (it) => {
  it.effect("a page of one type looks at 15 000 of all together, and says where to go on, until all are seen", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const [busy, quiet] = [yield* register(club), yield* register(club)]
      const refunded = { event_type: "purchase.refunded", ...ended("failed") }
      const oldest = yield* makeDelivery(quiet, ago("21 hours"), refunded)
      const old = yield* makeDelivery(busy, ago("20 hours"), refunded)
      yield* fill(busy, 30_000, ago("10 hours"))
      const newest = yield* makeDelivery(quiet, ago("1 hours"), refunded)
      // The busy endpoint uses three quarters of the 15 000, so the first page covers nothing older.
      assert.deepStrictEqual(yield* pages(busy, "event_type=purchase.refunded"), [[newest.id], [], [old.id, oldest.id]])
      assert.deepStrictEqual(yield* pages(busy, "status=failed"), [[newest.id, old.id, oldest.id]])
    }))

  it.effect("of which one had a burst long ago leave each other a quarter at least", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const [steady, burst] = [yield* register(club), yield* register(club)]
      const refunded = { event_type: "purchase.refunded", ...ended("failed") }
      const oldest = yield* makeDelivery(steady, ago("23 hours"), refunded)
      yield* fill(burst, 2000, ago("20 hours"))
      for (const hours of [14, 12, 10]) yield* fill(steady, 4000, ago({ hours }))
      // The last hundred of the burst took 0.1 seconds, of the steady one minutes: by pace alone it gets no share.
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        update webhook_deliveries set created_at = created_at - interval '1 hour' * random()
        where endpoint_id = ${steady.endpoint_id} and event_type = 'lesson.completed'`
      assert.deepStrictEqual(yield* pages(steady, "event_type=purchase.refunded"), [[], [], [], [oldest.id]])
    }))
})
