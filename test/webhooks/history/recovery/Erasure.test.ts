import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { mostLooked } from "../../../../src/webhooks/history/recovery/MovesRepo.ts"
import { send } from "../../../harness/App.ts"
import { ago, bodyNow, deliveryNow, ended, type MadeDelivery, makeDelivery } from "../../engine/retention/Rows.ts"
import { owedNow, type Registered } from "../../Registering.ts"
import { change, create, now, RecoveringLayer, registered, settle, tick } from "./Recovering.ts"

// Contract, Delivery behavior 9, during a recovery. The test removes the student over the API.

const removeStudent = Effect.fnUntraced(function*({ club, token }: Registered, { student_id }: MadeDelivery) {
  const removed = yield* send("DELETE", `${club.path}/students/${student_id}`, { token })
  assert.strictEqual(removed.status, 204, removed.text)
})

/** Failed deliveries about two students. The first and the last are about the student to remove. */
const made = Effect.gen(function*() {
  const endpoint = yield* registered
  const first = yield* makeDelivery(endpoint, ago("50 hours"), ended("failed"))
  const stays = yield* makeDelivery(endpoint, ago("20 hours"), ended("failed"))
  const last = yield* makeDelivery(endpoint, ago("2 hours"), { ...ended("failed"), student_id: first.student_id })
  return { endpoint, first, stays, last }
})

/** Fills one look with deliveries about other subjects, just before this delivery. */
const fillBefore = Effect.fnUntraced(function*({ id }: MadeDelivery) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into webhook_deliveries (
      club_id, endpoint_id, id, event_id, event_type, status, trigger, created_at, finished_at
    )
    select club_id, endpoint_id, (substr(id::text, 1, 24) || lpad(to_hex(n), 12, '0'))::uuid, event_id,
      'lesson.completed', 'failed', 'schedule', created_at, finished_at
    from webhook_deliveries, generate_series(1, ${mostLooked}::int) n where id = ${id}`
})

/** Checks a delivery of the removed student that was not sent. */
const assertErased = Effect.fnUntraced(function*(delivery: MadeDelivery, status: "failed" | "canceled") {
  assert.isNull(yield* bodyNow(delivery))
  assert.deepInclude(yield* deliveryNow(delivery), {
    status,
    cancel_reason: status === "canceled" ? "student_removed" : null,
    body_erased: true,
    next_attempt_at: null
  })
})

layer(RecoveringLayer)("A student who is removed while a recovery", (it) => {
  it.effect("is being counted, is left out of what is counted from then on, and nothing about them is sent", () =>
    Effect.gen(function*() {
      const { endpoint, first, last, stays } = yield* made
      yield* fillBefore(stays)
      const event_types = ["student.created"]
      const { id, status } = yield* create(endpoint, { event_types, start: true })
      assert.strictEqual(status, "counting")
      yield* removeStudent(endpoint, first)
      for (let ticks = 0; ticks < 3; ticks++) yield* tick
      const { preview } = yield* now(endpoint, id)
      assert.deepStrictEqual([preview.total, preview.left_out.payload_purged], [2, 1])
      assert.deepStrictEqual((yield* owedNow(endpoint)).map(({ id }) => id), [stays.id])
      yield* settle(endpoint, "succeeded")
      yield* tick
      const { progress, status: after } = yield* now(endpoint, id)
      assert.deepStrictEqual([after, progress.moved, progress.succeeded, progress.skipped], ["completed", 1, 1, 1])
      yield* Effect.forEach([first, last], (delivery) => assertErased(delivery, "failed"))
    }))

  it.effect("waits to be started, is skipped by it", () =>
    Effect.gen(function*() {
      const { endpoint, first, last, stays } = yield* made
      const { id, preview } = yield* create(endpoint)
      assert.strictEqual(preview.total, 3)
      yield* removeStudent(endpoint, first)
      yield* change(endpoint, id, { status: "running" })
      yield* tick
      assert.deepStrictEqual((yield* owedNow(endpoint)).map(({ id }) => id), [stays.id])
      yield* settle(endpoint, "failed")
      yield* tick
      const { progress, status } = yield* now(endpoint, id)
      assert.deepStrictEqual([status, progress.moved, progress.failed, progress.skipped], ["completed", 1, 1, 2])
      yield* Effect.forEach([first, last], (delivery) => assertErased(delivery, "failed"))
    }))

  it.effect("has moved what is about them, has that canceled, and says so", () =>
    Effect.gen(function*() {
      const { endpoint, first, last, stays } = yield* made
      const { id } = yield* create(endpoint, { start: true })
      yield* tick
      assert.lengthOf(yield* owedNow(endpoint), 3)
      yield* removeStudent(endpoint, first)
      assert.deepStrictEqual((yield* owedNow(endpoint)).map(({ id }) => id), [stays.id])
      yield* Effect.forEach([first, last], (delivery) => assertErased(delivery, "canceled"))
      yield* settle(endpoint, "succeeded")
      yield* TestClock.adjust("20 seconds")
      yield* tick
      const { progress, status } = yield* now(endpoint, id)
      assert.deepStrictEqual([status, progress.moved, progress.succeeded, progress.canceled], ["completed", 3, 1, 2])
    }))

  it.effect("is moving, keeps what is moved already from going out, and what is not from being moved", () =>
    Effect.gen(function*() {
      const { endpoint, first, last, stays } = yield* made
      const { id } = yield* create(endpoint, { rate: 1, start: true })
      yield* TestClock.adjust("1 seconds")
      yield* tick
      assert.deepStrictEqual((yield* owedNow(endpoint)).map(({ id }) => id), [first.id])
      yield* removeStudent(endpoint, first)
      assert.lengthOf(yield* owedNow(endpoint), 0)
      yield* TestClock.adjust("20 seconds")
      yield* tick
      assert.deepStrictEqual((yield* owedNow(endpoint)).map(({ id }) => id), [stays.id])
      yield* settle(endpoint, "succeeded")
      yield* TestClock.adjust("1 seconds")
      yield* tick
      yield* tick
      const { progress, status } = yield* now(endpoint, id)
      assert.strictEqual(status, "completed")
      assert.deepStrictEqual([progress.moved, progress.canceled, progress.succeeded, progress.skipped], [2, 1, 1, 1])
      yield* assertErased(first, "canceled")
      yield* assertErased(last, "failed")
    }))

  it.effect("is another club's, changes nothing of it", () =>
    Effect.gen(function*() {
      const [{ endpoint }, other] = [yield* made, yield* made]
      const { id } = yield* create(endpoint, { start: true })
      yield* tick
      yield* removeStudent(other.endpoint, other.first)
      assert.lengthOf(yield* owedNow(endpoint), 3)
      yield* settle(endpoint, "succeeded")
      yield* tick
      assert.deepInclude((yield* now(endpoint, id)).progress, { moved: 3, succeeded: 3, canceled: 0, skipped: 0 })
    }))
})
