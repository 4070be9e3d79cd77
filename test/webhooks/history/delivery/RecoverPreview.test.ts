import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { at, outcome, send } from "../../../harness/App.ts"
import { ago, deliveryNow, ended, makeDelivery, saturday } from "../../engine/retention/Rows.ts"
import {
  foundOnSaturday,
  owedNow,
  recover,
  register,
  type Registered,
  setStatus,
  WebhooksLayer
} from "../../Registering.ts"

// Contract, Delivery behavior 8.

const registered = Effect.flatMap(foundOnSaturday, (club) => register(club))
const canceled = (cancel_reason: string) => ({
  status: "canceled",
  cancel_reason,
  finished_at: DateTime.toDateUtc(saturday)
})

const preview = ({ path, token }: Registered, since: string) =>
  send("GET", `${path}/recover?since=${encodeURIComponent(since)}`, { token })

const data = (answer: { readonly json: unknown }) => at(answer.json, "data")

/** Every way in which a delivery may have ended or not, and its count in the preview. */
const kinds: ReadonlyArray<readonly [columns: Record<string, unknown>, counted: string | undefined]> = [
  [ended("failed"), "failed"],
  [canceled("endpoint_disabled"), "endpoint_disabled"],
  [canceled("student_removed"), "student_removed"],
  [canceled("expired"), "expired"],
  [{ ...ended("failed"), body_erased: true }, "payload_purged"],
  [{ ...canceled("endpoint_disabled"), body_erased: true }, "payload_purged"],
  [canceled("endpoint_deleted"), undefined],
  [ended("succeeded"), undefined],
  [{}, undefined]
]

const Story = Schema.Array(Schema.Struct({
  kind: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: kinds.length - 1 })),
  hours: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 200 }))
})).check(Schema.isMaxLength(12))

layer(WebhooksLayer)("The preview of a recovery", (it) => {
  it.effect.prop(
    "says exactly what recovering answers then, and changes nothing",
    [Story],
    ([story]) =>
      Effect.gen(function*() {
        const endpoint = yield* registered
        const sibling = yield* register(endpoint.club)
        yield* makeDelivery(sibling, ago("1 hours"), ended("failed"))
        const made = yield* Effect.forEach(story, ({ hours, kind }) => {
          const [columns, counted] = kinds[kind] ?? [{}, undefined]
          return Effect.map(
            makeDelivery(endpoint, ago({ hours }), columns),
            (delivery) => ({ counted, hours, delivery })
          )
        })
        const reached = made.filter(({ hours }) => hours <= 100)
        const count = (name: string) => reached.filter(({ counted }) => counted === name).length
        const sent = reached.filter(({ counted }) => counted === "failed" || counted === "endpoint_disabled")
          .map(({ hours }) => hours)
        const moment = (hours: number) => sent.length === 0 ? null : DateTime.formatIso(ago({ hours }))
        const since = DateTime.formatIso(ago({ hours: 100 }))
        const before = yield* Effect.forEach(made, ({ delivery }) => deliveryNow(delivery))
        const answer = yield* preview(endpoint, since)
        assert.deepStrictEqual<unknown>([answer.status, data(answer)], [200, {
          total: sent.length,
          failed: count("failed"),
          endpoint_disabled: count("endpoint_disabled"),
          left_out: {
            student_removed: count("student_removed"),
            expired: count("expired"),
            payload_purged: count("payload_purged")
          },
          oldest_created_at: moment(Math.max(...sent)),
          newest_created_at: moment(Math.min(...sent)),
          capped: false
        }])
        assert.deepStrictEqual(yield* Effect.forEach(made, ({ delivery }) => deliveryNow(delivery)), before)
        assert.deepStrictEqual<unknown>(data(yield* recover(endpoint, since)), { recovered: sent.length })
      }),
    { arbitrary: { runs: 15 } }
  )

  it.effect.each([
    "2026-11-21T10:00:00.001Z",
    "2026-11-22",
    "2026-10-22T09:54:59.999Z",
    "2026-10-21",
    "2026-02-30",
    "x"
  ])(
    "since %s is refused as recovering is",
    (since) =>
      Effect.gen(function*() {
        const endpoint = yield* registered
        const [, code] = outcome(yield* recover(endpoint, since))
        assert.deepStrictEqual(outcome(yield* preview(endpoint, since)), [422, code])
      })
  )

  it.effect("since a date, or up to 5 minutes too early, reaches as far as recovering does", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      yield* makeDelivery(endpoint, ago("9 days"), ended("failed"))
      for (const since of ["2026-11-12", "2026-11-13", "2026-10-22T09:56:00Z", "2026-10-22"]) {
        const total = at(data(yield* preview(endpoint, since)), "total")
        assert.strictEqual(total, since === "2026-11-13" ? 0 : 1, since)
      }
    }))

  it.effect("without since reaches as far back as recovering can", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      yield* makeDelivery(endpoint, ago("9 days"), ended("failed"))
      const { json } = yield* send("GET", `${endpoint.path}/recover`, endpoint)
      assert.deepStrictEqual(json, (yield* preview(endpoint, "2026-10-22")).json)
      assert.strictEqual(at(json, "data", "total"), 1)
    }))

  it.effect.each(["paused", "disabled"])(
    "is 409 endpoint_not_enabled while the endpoint is %s",
    (status) =>
      Effect.gen(function*() {
        const endpoint = yield* registered
        yield* setStatus(endpoint, status)
        assert.deepStrictEqual(outcome(yield* preview(endpoint, "2026-11-20")), [409, "endpoint_not_enabled"])
      })
  )

  it.effect.each([
    [20_001, 20_001, false],
    [100_001, 100_000, true]
  ] as const)(
    "counts what is more than one statement looks at: %i deliveries as %i",
    ([many, counted, isCapped]) =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const endpoint = yield* registered
        const made = sql`${DateTime.toEpochMillis(ago("1 hours"))}::bigint - n`
        const moment = sql`to_timestamp((${made}) / 1000.0)`
        yield* sql`
        insert into webhook_deliveries (
          club_id, endpoint_id, id, event_id, event_type, status, trigger, created_at, finished_at
        )
        select ${endpoint.club_id}::uuid, ${endpoint.endpoint_id}::uuid,
          (lpad(to_hex(${made}), 12, '0') || '70008' || substr(md5(n::text), 1, 15))::uuid,
          gen_random_uuid(), 'lesson.completed', 'failed', 'schedule', ${moment}, ${moment}
        from generate_series(1, ${many}::int) n`
        const { capped, newest_created_at, oldest_created_at, total } =
          Object(data(yield* preview(endpoint, "2026-11-20")))
        assert.deepStrictEqual([total, capped, oldest_created_at, newest_created_at], [
          counted,
          isCapped,
          DateTime.formatIso(ago(Duration.millis(3_600_000 + many))),
          DateTime.formatIso(ago(Duration.millis(3_600_001 + many - counted)))
        ])
        assert.lengthOf(yield* owedNow(endpoint), 0)
      })
  )
})
