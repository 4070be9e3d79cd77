import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Exit, Layer, Option, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { InboundRenewal } from "../../../../src/commerce/sales/inbound/InboundRenewal.ts"
import { InboundRetention } from "../../../../src/commerce/sales/inbound/InboundRetention.ts"
import { InboundWebhooks } from "../../../../src/commerce/sales/inbound/InboundWebhooks.ts"
import { decodeRequest, encodeRequest } from "../../../../src/commerce/sales/inbound/StoredRequest.ts"
import { InboundQueue } from "../../../../src/commerce/sales/queue/InboundQueue.ts"
import { salesEraser } from "../../../../src/commerce/sales/SalesEraser.ts"
import { Sealing } from "../../../../src/platform/sql/Sealing.ts"
import { makeStudent } from "../../../harness/Makers.ts"
import { untilBlocked, whileHeld } from "../../../harness/Waiting.ts"
import { drain, eventsOf, hooksLayer, hottok, openHook, outcomesOf, post, sale, Teller } from "./Hooks.ts"

describe("A kept request", () => {
  it.prop(
    "is what it was",
    {
      headers: Schema.Record(Schema.String, Schema.String),
      query: Schema.Record(Schema.String, Schema.String),
      body: Schema.Uint8Array
    },
    ({ body, headers, query }) => {
      const kept = { headers, query: new URLSearchParams(query), body }
      const unpacked = Option.getOrThrow(decodeRequest(encodeRequest(kept)))
      assert.deepStrictEqual({ ...unpacked.headers }, { ...headers })
      assert.strictEqual(unpacked.query.toString(), kept.query.toString())
      assert.deepStrictEqual(new Uint8Array(unpacked.body), new Uint8Array(body))
    }
  )

  it.prop("is none where it was not packed", { bytes: Schema.Uint8Array }, ({ bytes }) => {
    assert.doesNotThrow(() => decodeRequest(bytes))
  })
})

const teller = new Teller()

layer(InboundRetention.layer.pipe(Layer.provideMerge(hooksLayer(teller))))("Age", (it) => {
  it.effect("ends bodies after 30 days, events after 90, and deleted addresses with their last event", () =>
    Effect.gen(function*() {
      const { sweep } = yield* InboundRetention
      const hooks = yield* InboundWebhooks
      const sql = yield* SqlClient.SqlClient
      const hook = yield* openHook()
      const addresses = sql`select id from inbound_webhooks where club_id = ${hook.id}`
      yield* post(hook.post, sale())
      yield* drain
      yield* post(hook.post, sale())
      yield* hooks.remove(hook.id, hook.hook_id)
      yield* TestClock.adjust("29 days")
      yield* sweep
      assert.lengthOf((yield* eventsOf(hook)).filter(({ raw }) => raw !== null), 2)
      yield* TestClock.adjust("1 day")
      yield* sweep
      const aged = yield* eventsOf(hook)
      assert.deepStrictEqual(aged.map(({ due_at, outcome, raw }) => [raw, outcome, due_at]), [
        [null, "processed", null],
        [null, "failed", null]
      ])
      assert.isNotNull(aged[1]?.detail)
      yield* TestClock.adjust("59 days")
      yield* sweep
      assert.lengthOf(yield* eventsOf(hook), 2)
      assert.lengthOf(yield* addresses, 1)
      yield* TestClock.adjust("1 day")
      yield* sweep
      assert.isEmpty(yield* eventsOf(hook))
      assert.isEmpty(yield* addresses)
    }))

  it.effect("leaves addresses that are in use", () =>
    Effect.gen(function*() {
      const { sweep } = yield* InboundRetention
      const hook = yield* openHook()
      yield* TestClock.adjust("100 days")
      yield* sweep
      assert.strictEqual((yield* post(hook.post, sale())).status, 200)
    }))
})

layer(hooksLayer(teller))("Erasing a person", (it) => {
  it.effect("deletes what platforms wrote about them, found by address and by student, and processes no more of it", () =>
    Effect.gen(function*() {
      const eraser = yield* salesEraser
      const [hook, elsewhere] = [yield* openHook(), yield* openHook()]
      const student = yield* makeStudent(hook, { email: "bia@buyer.example" })
      teller.answer = (told) =>
        Effect.succeed({ student_id: told.facts.some(({ kind }) => kind === "canceled") ? student.id : null })
      yield* post(hook.post, sale())
      yield* post(hook.post, {
        ...sale({ event: "SUBSCRIPTION_CANCELLATION" }),
        data: { subscriber: { code: "S1" }, product: { id: 1 } }
      })
      yield* drain
      yield* post(hook.post, sale())
      yield* post(hook.post, sale({ email: "other@buyer.example" }))
      yield* post(elsewhere.post, sale())
      const person = { club_id: hook.id, student_id: student.id, email: "bia@buyer.example" }
      yield* eraser.lock?.(person) ?? Effect.void
      assert.deepStrictEqual(yield* eraser.erase(person), { inbound_bodies: 3 })
      const shown = (yield* eventsOf(hook)).map(({ detail, external_event_id, outcome, person_key, raw }) => [
        outcome,
        [raw, person_key, external_event_id, detail].some((value) => value !== null)
      ])
      assert.deepStrictEqual(shown, [
        ["processed", false],
        ["processed", false],
        ["ignored", false],
        [null, true]
      ])
      assert.deepStrictEqual(yield* outcomesOf(elsewhere), [null])
      assert.deepStrictEqual(yield* eraser.erase(person), { inbound_bodies: 0 })
      yield* drain
      assert.deepStrictEqual(yield* outcomesOf(hook), ["processed", "processed", "ignored", "processed"])
      teller.answer = () => Effect.succeed({})
    }))

  it.effect("waits for an event that is being processed, which then is forgotten too", () =>
    Effect.gen(function*() {
      const eraser = yield* salesEraser
      const sql = yield* SqlClient.SqlClient
      const hook = yield* openHook()
      const student = yield* makeStudent(hook, { email: "bia@buyer.example" })
      yield* post(hook.post, sale())
      const person = { club_id: hook.id, student_id: student.id, email: student.email }
      const row = sql`select 1 from inbound_events where club_id = ${hook.id} for update`
      const erasing = yield* whileHeld(
        row,
        Effect.gen(function*() {
          const erasing = yield* Effect
            .forkDetach(sql.withTransaction(Effect.andThen(eraser.lock?.(person) ?? Effect.void, eraser.erase(person))))
          yield* untilBlocked()
          const { tick } = yield* InboundQueue
          assert.strictEqual(yield* tick, 0)
          return erasing
        })
      )
      const exit = yield* Effect.promise(() =>
        new Promise<Exit.Exit<unknown, unknown>>((done) => erasing.addObserver(done))
      )
      assert.isTrue(Exit.isSuccess(exit))
      assert.deepStrictEqual(yield* outcomesOf(hook), ["ignored"])
    }))
})

const key = (byte: number) => Redacted.make(new Uint8Array(32).fill(byte))

layer(hooksLayer(teller))("A new sealing key", (it) => {
  it.effect("takes over secrets and tokens, so that the key before may be forgotten", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const sql = yield* SqlClient.SqlClient
      const gone = sql`update inbound_webhooks set token = '\\x00', secret = '\\x01' where club_id = ${
        (yield* openHook()).id
      }`
      yield* gone
      const renewWith = (layer: Layer.Layer<Sealing, never, never>) =>
        Effect.flatMap(InboundRenewal, ({ renew }) => renew)
          .pipe(Effect.provide(InboundRenewal.layer.pipe(Layer.provide(layer))))
      const both = Sealing.layerKeys(key(8), key(7)).pipe(Layer.provide(SecureRandom.layerWebCrypto))
      const [before] = yield* sql`select token, secret from inbound_webhooks where club_id = ${hook.id}`
      assert.strictEqual(yield* renewWith(both), 1)
      assert.strictEqual(yield* renewWith(both), 0)
      const [after] = yield* sql`select token, secret from inbound_webhooks where club_id = ${hook.id}`
      assert.notDeepEqual(after, before)
      const back = Sealing.layerKeys(key(7), key(8)).pipe(Layer.provide(SecureRandom.layerWebCrypto))
      assert.strictEqual(yield* renewWith(back), 1)
      assert.strictEqual((yield* post(hook.post, sale(), { "x-hotmart-hottok": hottok })).status, 200)
    }))
})
