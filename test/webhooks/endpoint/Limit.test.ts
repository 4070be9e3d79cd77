import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { outcome, send } from "../../harness/App.ts"
import { warmPool } from "../../harness/Pool.ts"
import { create, foundOnSaturday, idsIn, register, setStatus, WebhooksLayer } from "../Registering.ts"

const many = <A, E, R>(times: number, one: Effect.Effect<A, E, R>) =>
  Effect.all(Array.from({ length: times }, () => one), { concurrency: "unbounded" })

const full = [409, "endpoint_limit_reached"]

layer(WebhooksLayer)("A club", (it) => {
  it.effect("has 20 endpoints after 40 are registered at once", () =>
    Effect.gen(function*() {
      yield* warmPool
      const club = yield* foundOnSaturday
      const answers = yield* many(40, create(club))
      const made = answers.filter(({ status }) => status === 201)
      assert.lengthOf(made, 20)
      assert.deepStrictEqual<unknown>(
        answers.filter(({ status }) => status !== 201).map(outcome),
        Array.from({ length: 20 }, () => full)
      )
      assert.lengthOf(idsIn(yield* send("GET", `${club.path}/webhook-endpoints`, club)), 20)
    }))

  it.effect("has room again for each that is deleted, and for none that is paused or disabled", () =>
    Effect.gen(function*() {
      yield* warmPool
      const club = yield* foundOnSaturday
      const endpoints = yield* Effect.forEach(Array.from({ length: 20 }), () => register(club))
      const [first, second, third, fourth] = endpoints
      if (first === undefined || second === undefined || third === undefined || fourth === undefined) return
      yield* setStatus(first, "paused")
      yield* setStatus(second, "disabled")
      assert.deepStrictEqual<unknown>(outcome(yield* create(club)), full)
      yield* send("DELETE", third.path, third)
      yield* send("DELETE", fourth.path, fourth)
      const answers = yield* many(5, create(club))
      assert.lengthOf(answers.filter(({ status }) => status === 201), 2)
    }))

  it.effect("takes no room from another", () =>
    Effect.gen(function*() {
      yield* warmPool
      const clubs = yield* Effect.forEach(Array.from({ length: 4 }), () => foundOnSaturday)
      const answers = yield* Effect.all(
        clubs.flatMap((club) => Array.from({ length: 20 }, () => create(club))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [201])
    }))

  it.effect("hears of a wrong address before it hears that it is full", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      yield* many(20, create(club))
      assert.deepStrictEqual(outcome(yield* create(club, { url: "nonsense" })), [422, "url_not_https"])
    }))
})
