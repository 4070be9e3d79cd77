import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Partitions } from "../../../src/platform/sql/Partitions.ts"
import { appLayer, at, keyOf, listAt, outcome, send } from "../../harness/App.ts"
import { StayingTimeLayer, whileAhead } from "../../harness/MovedTime.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"
import { makeDelivery } from "../../harness/Webhooks.ts"
import { foundOnSaturday, read, WebhooksLayer } from "../Registering.ts"
import { createListener, poll, polled, resultOf, startListening, tell, toldIn } from "./Listening.ts"

layer(WebhooksLayer)("A key that listens", (it) => {
  it.effect("makes, polls and tells where it may write webhooks, and only polls where it may read them", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const listener = yield* startListening(club)
      yield* makeDelivery(listener)
      const reader = yield* keyOf(club, { role: undefined, scopes: ["webhooks:read"] })
      const writer = yield* keyOf(club, { role: undefined, scopes: ["webhooks:write"] })
      const other = yield* keyOf(club, { role: undefined, scopes: ["students:write"] })
      const [handed] = yield* polled({ ...listener, token: reader.token })
      if (handed === undefined) return assert.fail("Nothing was handed out")
      for (const { token } of [reader, other]) {
        assert.deepStrictEqual(outcome(yield* createListener({ ...club, token })), [403, "forbidden"])
        assert.deepStrictEqual(outcome(yield* tell({ ...listener, token }, resultOf(handed))), [403, "forbidden"])
      }
      assert.deepStrictEqual(outcome(yield* poll({ ...listener, token: other.token })), [403, "forbidden"])
      assert.strictEqual((yield* createListener({ ...club, token: writer.token })).status, 201)
      assert.deepStrictEqual(toldIn(yield* tell({ ...listener, token: writer.token }, resultOf(handed))), [1, 0])
    }))

  it.effect("neither polls nor tells once it is revoked", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const listener = yield* startListening(club)
      yield* makeDelivery(listener)
      const { id, token } = yield* keyOf(club)
      const [handed] = yield* polled({ ...listener, token })
      if (handed === undefined) return assert.fail("Nothing was handed out")
      yield* send("DELETE", `${club.path}/keys/${id}`, club)
      assert.strictEqual((yield* poll({ ...listener, token })).status, 401)
      assert.strictEqual((yield* tell({ ...listener, token }, resultOf(handed))).status, 401)
    }))
})

const DoubtfulLayer = Partitions.layer
  .pipe(Layer.provideMerge(appLayer({ ADMIN_SESSION_IDLE: "3000 days", ADMIN_SESSION_MAX: "3000 days" }, {
    database: StayingTimeLayer.pipe(Layer.provideMerge(PostgresLayer))
  })))

layer(DoubtfulLayer)("By a clock that is two hours off", (it) => {
  it.effect("no listener is made or kept, and no result is recorded", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const listener = yield* startListening(club)
      yield* makeDelivery(listener)
      const until = Effect.map(read(listener.endpoint), ({ json }) => at(json, "data", "listening_until"))
      const before = yield* until
      const [handed] = yield* polled(listener)
      if (handed === undefined) return assert.fail("Nothing was handed out")
      for (const by of ["2 hours", "-2 hours"] as const) {
        const asked = [poll(listener), createListener(club), tell(listener, resultOf(handed))]
        const answers = yield* whileAhead(by, Effect.all(asked))
        for (const answer of answers) assert.deepStrictEqual(outcome(answer), [503, "temporarily_unavailable"], by)
      }
      assert.strictEqual(yield* until, before)
      assert.lengthOf(listAt((yield* send("GET", `${club.path}/webhook-endpoints`, club)).json, "data"), 1)
      assert.lengthOf(yield* polled(listener), 1)
    }))
})
