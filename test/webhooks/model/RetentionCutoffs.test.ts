import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { at, listAt, outcome, send } from "../../harness/App.ts"
import { makeStudent } from "../../harness/Makers.ts"
import { ago, begin, ended, makeAttempt, makeDelivery } from "../engine/retention/Rows.ts"
import { foundOnSaturday, idsIn, list, readDelivery, register, resend, WebhooksLayer } from "../Registering.ts"

// Contract, Retention: a row past its age is unreadable at once, even before a worker removes it.

const moment = Duration.millis(1)
const justUnder = (days: number) => ago(Duration.subtract(Duration.days(days), moment))

const registered = Effect.andThen(begin("91 days"), foundOnSaturday).pipe(Effect.flatMap((club) => register(club)))

const readEvent = ({ club, token }: { readonly club: { readonly path: string }; readonly token: string }, id: string) =>
  send("GET", `${club.path}/webhook-events/${id}`, { token })

layer(WebhooksLayer)("A body", (it) => {
  it.effect("is readable for 30 days", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const { event_id, id } = yield* makeDelivery(endpoint, justUnder(30), ended("failed"))
      for (const [payload_purged, payload] of [[false, { id: event_id }], [true, null]]) {
        for (const answer of [yield* readDelivery(endpoint, id), yield* readEvent(endpoint, event_id)]) {
          assert.deepStrictEqual<unknown>(
            [at(answer.json, "data", "payload_purged"), at(answer.json, "data", "payload")],
            [payload_purged, payload]
          )
        }
        const [listed] = listAt((yield* list(endpoint)).json, "data")
        assert.strictEqual(at(listed, "payload_purged"), payload_purged)
        yield* TestClock.adjust(moment)
      }
      assert.deepStrictEqual(outcome(yield* resend(endpoint, id)), [409, "payload_purged"])
    }))

  it.effect("that is erased leaves its deliveries in the history, purged", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const { event_id, id } = yield* makeDelivery(endpoint, ago("1 days"), { ...ended("failed"), body_erased: true })
      for (const answer of [yield* readDelivery(endpoint, id), yield* readEvent(endpoint, event_id)]) {
        assert.deepStrictEqual([answer.status, at(answer.json, "data", "payload_purged")], [200, true])
        assert.isNull(at(answer.json, "data", "payload"))
      }
    }))
})

layer(WebhooksLayer)("An attempt", (it) => {
  it.effect("is shown for 30 days", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const delivery = yield* makeDelivery(endpoint, ago("31 days"), ended("failed"))
      yield* makeAttempt(delivery, justUnder(30))
      const shown = Effect.map(readDelivery(endpoint, delivery.id), ({ json }) => listAt(json, "data", "attempts"))
      assert.lengthOf(yield* shown, 1)
      yield* TestClock.adjust(moment)
      assert.lengthOf(yield* shown, 0)
    }))
})

layer(WebhooksLayer)("A delivery", (it) => {
  it.effect("is in the history for 90 days", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const student = yield* makeStudent(endpoint.club)
      const { event_id, id } = yield* makeDelivery(endpoint, justUnder(90), {
        student_id: student.id,
        ...ended("failed")
      })
      const since = encodeURIComponent(DateTime.formatIso(ago("120 days")))
      const queries = ["", "?status=failed", `?student_id=${student.id}`, `?since=${since}`]
      for (const query of queries) assert.deepStrictEqual(idsIn(yield* list(endpoint, query)), [id], query)
      assert.strictEqual((yield* readDelivery(endpoint, id)).status, 200)
      assert.strictEqual((yield* readEvent(endpoint, event_id)).status, 200)
      yield* TestClock.adjust(moment)
      for (const query of queries) assert.isEmpty(idsIn(yield* list(endpoint, query)), query)
      for (
        const answer of [
          yield* readDelivery(endpoint, id),
          yield* readEvent(endpoint, event_id),
          yield* resend(endpoint, id)
        ]
      ) assert.deepStrictEqual(outcome(answer), [404, "not_found"])
    }))
})
