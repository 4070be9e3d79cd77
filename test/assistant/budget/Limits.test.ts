import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { at, codeOf, outcome } from "../../harness/App.ts"
import { ask, classroom, makeLearner, patchAgent, state, used, WorldLayer } from "../World.ts"

layer(WorldLayer)("The day's limit", (it) => {
  it.effect("answers 429 with the seconds until the day ends, and the state is still read", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* patchAgent(place.club, { daily_limit: 2 })
      yield* ask(place)
      yield* ask(place)
      yield* TestClock.setTime(Date.UTC(1970, 0, 1, 23, 59, 0, 500))
      const refused = yield* ask(place)
      assert.deepStrictEqual(outcome(refused), [429, "ask_daily_limit_reached"])
      assert.strictEqual(refused.headers["retry-after"], "60")
      const { json } = yield* state(place)
      assert.deepStrictEqual([at(json, "data", "limits", "used"), at(json, "data", "limits", "remaining")], [2, 0])
    }))
})

layer(WorldLayer)("The day's limit of yesterday", (it) => {
  it.effect("is no longer counted", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* patchAgent(place.club, { daily_limit: 1 })
      yield* ask(place)
      assert.strictEqual((yield* ask(place)).status, 429)
      yield* TestClock.adjust("1 day")
      assert.strictEqual((yield* ask(place)).status, 202)
    }))
})

layer(WorldLayer)("The day's limit, whatever it is,", (it) => {
  it.effect("below what was asked leaves nothing, and none is a limit of its own", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* ask(place)
      yield* patchAgent(place.club, { daily_limit: 0 })
      assert.deepStrictEqual(outcome(yield* ask(place)), [429, "ask_daily_limit_reached"])
      assert.strictEqual(at((yield* state(place)).json, "data", "limits", "remaining"), 0)
    }))

  it.effect("of 10 lets exactly 10 of 50 at once pass", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const answers = yield* Effect.all(Array.from({ length: 50 }, () => ask(place)), { concurrency: "unbounded" })
      assert.lengthOf(answers.filter(({ status }) => status === 202), 10)
      assert.lengthOf(answers.filter((answer) => codeOf(answer) === "ask_daily_limit_reached"), 40)
      assert.deepStrictEqual(yield* used(place), [10, 10])
      const sql = yield* SqlClient.SqlClient
      const replies = yield* sql`select 1 from messages where student_id = ${place.student.id} and role = 'assistant'`
      assert.lengthOf(replies, 10)
    }))
})

layer(WorldLayer)("The club's budget", (it) => {
  it.effect("answers 429 with the seconds until the month ends, and the state says so", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* patchAgent(place.club, { monthly_budget: 1 })
      const last = yield* ask(place)
      assert.strictEqual(at(last.json, "data", "limits", "club_budget_exhausted"), true)
      const refused = yield* ask(place)
      assert.deepStrictEqual(outcome(refused), [429, "club_budget_exhausted"])
      assert.strictEqual(refused.headers["retry-after"], String(31 * 24 * 3600))
      const read = yield* state(place)
      assert.deepStrictEqual([read.status, at(read.json, "data", "limits", "club_budget_exhausted")], [200, true])
      assert.deepStrictEqual(yield* used(place), [1, 1])
    }))

  it.effect("of 5 lets exactly 5 of many students at once pass", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* patchAgent(place.club, { monthly_budget: 5 })
      const places = yield* Effect.forEach(Array.from({ length: 10 }), () =>
        Effect.map(makeLearner(place.club, place.delivery), (student) => ({ ...place, student })))
      const answers = yield* Effect.forEach([...places, ...places], (one) =>
        ask(one), { concurrency: "unbounded" })
      assert.lengthOf(answers.filter(({ status }) => status === 202), 5)
      assert.lengthOf(answers.filter((answer) => codeOf(answer) === "club_budget_exhausted"), 15)
      const days = yield* Effect.forEach(places, (one) => Effect.map(used(one), ([day]) => Number(day)))
      assert.strictEqual(days.reduce((sum, day) => sum + day, 0), 5)
      assert.strictEqual((yield* used(place))[1], 5)
    }))

  it.effect("of none answers nobody, and no budget is as many as asked", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* patchAgent(place.club, { monthly_budget: 0 })
      assert.deepStrictEqual(outcome(yield* ask(place)), [429, "club_budget_exhausted"])
      assert.strictEqual(at((yield* state(place)).json, "data", "limits", "club_budget_exhausted"), true)
      yield* patchAgent(place.club, { monthly_budget: null })
      assert.strictEqual((yield* ask(place)).status, 202)
      assert.strictEqual(at((yield* state(place)).json, "data", "limits", "club_budget_exhausted"), false)
    }))

  it.effect("is the club's own", () =>
    Effect.gen(function*() {
      const [place, other] = [yield* classroom, yield* classroom]
      yield* patchAgent(place.club, { monthly_budget: 0 })
      assert.strictEqual((yield* ask(other)).status, 202)
    }))
})
