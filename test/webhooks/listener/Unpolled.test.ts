import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { EventErasure } from "../../../src/events/EventErasure.ts"
import { Endpoints } from "../../../src/webhooks/endpoint/Endpoints.ts"
import { Listeners } from "../../../src/webhooks/listener/Listeners.ts"
import { send } from "../../harness/App.ts"
import { makeMember, makeStudent } from "../../harness/Makers.ts"
import { attemptRows, deliveryRow, makeDelivery } from "../../harness/Webhooks.ts"
import { foundOnSaturday, read, register, WebhooksLayer } from "../Registering.ts"
import { poll, polled, resultOf, startListening, tell, toldIn } from "./Listening.ts"

const sweep = Effect.flatMap(Listeners, ({ removeUnpolled }) => removeUnpolled)

layer(WebhooksLayer)("A listener that nobody polls", (it) => {
  it.effect("is deleted after an hour, with what waits for it, and nobody gets a mail", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundOnSaturday
      yield* makeMember(club, "admin")
      const endpoint = yield* register(club)
      const listener = yield* startListening(club)
      const polling = yield* startListening(club)
      const { id } = yield* makeDelivery(listener)
      const mails = Effect.map(sql`select count(*)::int as count from mails`, ([row]) => row?.["count"])
      const before = yield* mails
      yield* TestClock.adjust("59 minutes")
      assert.strictEqual(yield* sweep, 0)
      yield* poll(polling)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* sweep, 1)
      assert.strictEqual((yield* read(listener.endpoint)).status, 404)
      assert.deepInclude(yield* deliveryRow(id), { status: "canceled", cancel_reason: "endpoint_deleted" })
      for (const other of [polling.endpoint, endpoint]) assert.strictEqual((yield* read(other)).status, 200)
      assert.strictEqual(yield* mails, before)
      assert.strictEqual(yield* sweep, 0)
    }))

  it.effect("is not found once it has polled, whenever the sweep looked", () =>
    Effect.gen(function*() {
      const listener = yield* startListening(yield* foundOnSaturday)
      yield* TestClock.adjust("2 hours")
      yield* poll(listener)
      yield* sweep
      assert.strictEqual((yield* poll(listener)).status, 200)
      yield* TestClock.adjust("1 hour")
      yield* sweep
      assert.strictEqual((yield* poll(listener)).status, 404)
    }))

  it.effect("stays where it has polled since the sweep found it", () =>
    Effect.gen(function*() {
      const { removeUnpolled } = yield* Endpoints
      const listener = yield* startListening(yield* foundOnSaturday)
      yield* TestClock.adjust("1 hour")
      const found = yield* DateTime.now
      yield* poll(listener)
      assert.isFalse(yield* removeUnpolled(listener.club_id, listener.endpoint_id, found))
      assert.strictEqual((yield* poll(listener)).status, 200)
      assert.isTrue(yield* removeUnpolled(listener.club_id, listener.endpoint_id, DateTime.add(found, { hours: 1 })))
    }))
})

layer(WebhooksLayer)("A removed student", (it) => {
  it.effect("is in nothing that a listener is handed, and no answer about them is kept", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { eraseStudent } = yield* EventErasure
      const club = yield* foundOnSaturday
      const listener = yield* startListening(club)
      const student = yield* makeStudent(club)
      const { id } = yield* makeDelivery(listener)
      yield* sql`update webhook_deliveries set student_id = ${student.id} where id = ${id}`
      const [handed] = yield* polled(listener)
      if (handed === undefined) return assert.fail("Nothing was handed out")
      yield* sql.withTransaction(eraseStudent(club.id, student.id))
      assert.lengthOf(yield* polled(listener), 0)
      const answer = yield* tell(listener, resultOf(handed, { response_body: "Ana is known here" }))
      assert.deepStrictEqual(toldIn(answer), [1, 0])
      assert.deepInclude(yield* deliveryRow(id), { status: "canceled", cancel_reason: "student_removed" })
      assert.deepStrictEqual((yield* attemptRows(id)).map(({ response_body }) => response_body), [null])
      const detail = yield* send("GET", `${listener.endpoint.path}/deliveries/${id}`, listener)
      assert.notInclude(detail.text, "Ana is known here")
    }))
})
