import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Metering } from "../../../src/commerce/billing/account/Metering.ts"
import { UsageRepo } from "../../../src/commerce/billing/account/UsageRepo.ts"
import type { ClubId } from "../../../src/identity/ids/ClubId.ts"
import { at, codeOf, listAt, outcome, send, tokenOf } from "../../harness/App.ts"
import { SpansLayer, statements } from "../../harness/Statements.ts"
import { untilBlocked, whileHeld } from "../../harness/Waiting.ts"
import {
  ask,
  cancel,
  claimOf,
  type Classroom,
  classroom,
  fails,
  makeLearner,
  patchAgent,
  replyTo,
  say,
  state,
  used,
  work,
  worldLayer
} from "../World.ts"

// A new club's plan in the built-in catalog grants 500 answers of the assistant in a period.

const PlansLayer = UsageRepo.layer.pipe(Layer.provideMerge(worldLayer({ BILLING_PROVIDER: "local" })))

/** Uses the club's plan until it has this many answers left. */
const leave = Effect.fnUntraced(function*({ club }: { readonly club: { readonly id: ClubId } }, units: number) {
  const metering = yield* Metering
  yield* metering.take(club.id, "assistant_messages", 500 - units)
})

/** The answers in GET /billing: used, balance and allowance. */
const shown = Effect.fnUntraced(function*({ club }: Pick<Classroom, "club">) {
  const { json } = yield* send("GET", `${club.path}/billing`, club)
  const answers = listAt(json, "data", "resources").find((one) => at(one, "key") === "assistant_messages")
  return ["used", "balance", "allowance"].map((field) => at(answers, field))
})

/** The same place with new sessions, and another student. */
const later = Effect.fnUntraced(function*(place: Classroom) {
  const student = yield* makeLearner(place.club, place.delivery)
  return { ...place, student, club: { ...place.club, token: yield* tokenOf(place.club.owner) } }
})

const isExhausted = (answer: { readonly json: unknown }) => at(answer.json, "data", "limits", "club_budget_exhausted")

const inSeconds = (at: string) => String(Date.parse(at) / 1000)

layer(PlansLayer)("The plan's answers", (it) => {
  it.effect("are used by asking, as the billing status shows", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      assert.deepStrictEqual(yield* shown(place), [0, 500, 500])
      yield* ask(place)
      assert.deepStrictEqual(yield* shown(place), [1, 499, 500])
      assert.deepStrictEqual(yield* used(place), [1, 1])
    }))

  it.effect("once used up answer 429 until the plan's period ends, and the state says so", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* leave(place, 1)
      assert.strictEqual(isExhausted(yield* state(place)), false)
      assert.strictEqual(isExhausted(yield* ask(place)), true)
      const refused = yield* ask(place)
      assert.deepStrictEqual(outcome(refused), [429, "club_budget_exhausted"])
      assert.strictEqual(refused.headers["retry-after"], inSeconds("1970-02-01T00:00:00Z"))
      assert.strictEqual(isExhausted(yield* state(place)), true)
      assert.deepStrictEqual([yield* shown(place), yield* used(place)], [[500, 0, 500], [1, 1]])
    }))

  it.effect("and a budget of the club's own that leaves fewer refuse what either refuses", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* patchAgent(place.club, { monthly_budget: 1 })
      yield* ask(place)
      assert.deepStrictEqual(outcome(yield* ask(place)), [429, "club_budget_exhausted"])
      assert.strictEqual(isExhausted(yield* state(place)), true)
      assert.deepStrictEqual([yield* shown(place), yield* used(place)], [[1, 499, 500], [1, 1]])
    }))

  it.effect("are more at once with an add-on, and fewer at once without it", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const { path, token } = place.club
      yield* leave(place, 0)
      const added = yield* send("POST", `${path}/billing/addons`, { token, body: { key: "assistant_pack" } })
      assert.strictEqual(added.status, 201, added.text)
      assert.deepStrictEqual([(yield* ask(place)).status, yield* shown(place)], [202, [501, 999, 1500]])
      yield* send("DELETE", `${path}/billing/addons/assistant_pack`, { token })
      assert.deepStrictEqual(outcome(yield* ask(place)), [429, "club_budget_exhausted"])
      assert.deepStrictEqual(yield* shown(place), [501, 0, 500])
    }))

  it.effect("are not limited by a plan that bills what is beyond", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const place = yield* classroom
      yield* sql`update billing_accounts set plan_key = 'growth' where club_id = ${place.club.id}`
      yield* Effect.flatMap(Metering, ({ take }) => take(place.club.id, "assistant_messages", 5000))
      assert.strictEqual(isExhausted(yield* ask(place)), false)
      assert.strictEqual(isExhausted(yield* state(place)), false)
      assert.deepStrictEqual(yield* shown(place), [5001, 0, 5000])
    }))

  it.effect("of which 3 are left let exactly 3 of many students at once pass", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* leave(place, 3)
      const places = yield* Effect.forEach(Array.from({ length: 20 }), () =>
        Effect.map(makeLearner(place.club, place.delivery), (student) => ({ ...place, student })))
      const answers = yield* Effect.forEach(places, (one) =>
        ask(one), { concurrency: "unbounded" })
      assert.lengthOf(answers.filter(({ status }) => status === 202), 3)
      assert.lengthOf(answers.filter((answer) => codeOf(answer) === "club_budget_exhausted"), 17)
      assert.deepStrictEqual([(yield* used(place))[1], yield* shown(place)], [3, [500, 0, 500]])
    }))
})

layer(PlansLayer)("An answer that comes to nothing", (it) => {
  it.effect("goes back to the plan and to the month, once", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* say("refused", fails("answer_refused"))
      const id = yield* replyTo(place, "refused")
      yield* work
      assert.deepStrictEqual([yield* shown(place), yield* used(place)], [[0, 500, 500], [0, 0]])
      yield* ask(place)
      yield* cancel(place, id)
      yield* work
      assert.deepStrictEqual([yield* shown(place), yield* used(place)], [[1, 499, 500], [1, 1]])
    }))

  it.effect("goes back once, whether it is canceled twice or while a worker ends it", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* leave(place, 10)
      yield* say("both", fails("answer_refused"))
      const id = yield* replyTo(place, "both")
      yield* Effect.all([work, cancel(place, id), cancel(place, id)], { concurrency: "unbounded" })
      // A canceled answer costs its question if a worker had begun it.
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql`select status = 'canceled' and tries > 0 as begun from messages where id = ${id}`
      const cost = row?.["begun"] === true ? 1 : 0
      assert.deepStrictEqual([yield* shown(place), yield* used(place)], [[490 + cost, 10 - cost, 500], [cost, cost]])
    }))

  it.effect("stays where it is once a worker has begun it and it is canceled, in the plan and in the month", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* leave(place, 10)
      const id = yield* replyTo(place)
      yield* claimOf(id)
      yield* cancel(place, id)
      assert.deepStrictEqual([yield* shown(place), yield* used(place)], [[491, 9, 500], [1, 1]])
    }))

  it.effect("goes back 5 times a day where it had been begun", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* leave(place, 10)
      yield* say("again", fails("provider_unavailable"))
      for (let n = 0; n < 7; n++) yield* Effect.andThen(ask(place, "again"), work)
      assert.deepStrictEqual([yield* shown(place), yield* used(place)], [[492, 8, 500], [2, 2]])
    }))

  it.effect("costs a club nothing that got its plan after it was asked", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const place = yield* classroom
      yield* say("late", fails("answer_refused"))
      const ended = sql`update billing_accounts set ended_at = ${new Date(0)} where club_id = ${place.club.id}`
      yield* ended
      yield* replyTo(place, "late")
      yield* sql`update billing_accounts set ended_at = null where club_id = ${place.club.id}`
      yield* leave(place, 10)
      yield* work
      assert.deepStrictEqual(yield* shown(place), [490, 10, 500])
    }))
})

layer(PlansLayer)("An answer that fails after its period", (it) => {
  it.effect("goes back to that period, and not to the one that has begun", () =>
    Effect.gen(function*() {
      const usage = yield* UsageRepo
      const begun = yield* DateTime.now
      const place = yield* classroom
      yield* say("late", fails("answer_refused"))
      yield* TestClock.setTime(Date.UTC(1970, 0, 31, 23, 59, 0))
      const asked = [yield* ask(yield* later(place), "late"), yield* ask(yield* later(place))]
      yield* TestClock.adjust("1 minute")
      asked.push(yield* ask(yield* later(place)))
      assert.deepStrictEqual(asked.map(({ status }) => status), [202, 202, 202])
      assert.deepStrictEqual(yield* usage.used(place.club.id, begun), new Map([["assistant_messages", 2]]))
      yield* work
      assert.deepStrictEqual(yield* usage.used(place.club.id, begun), new Map([["assistant_messages", 1]]))
      assert.deepStrictEqual(yield* shown(yield* later(place)), [1, 499, 500])
    }))
})

layer(PlansLayer)("Where both budgets are used up", (it) => {
  it.effect("it says when there is something again, which is when the later one begins anew", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(1970, 0, 10))
      const founded = yield* classroom
      yield* leave(founded, 0)
      yield* TestClock.setTime(Date.UTC(1970, 1, 9))
      const place = yield* later(founded)
      const days = Effect.map(ask(place), ({ headers }) => Number(headers["retry-after"]) / 24 / 3600)
      assert.strictEqual(yield* days, 1)
      yield* patchAgent(place.club, { monthly_budget: 0 })
      assert.strictEqual(yield* days, 20)
      yield* TestClock.setTime(Date.UTC(1970, 1, 10))
      assert.strictEqual(yield* days, 19)
      yield* leave(place, 0)
      assert.strictEqual(yield* days, 28)
    }))
})

layer(PlansLayer)("A reply of the assistant's below a comment", (it) => {
  it.effect("costs one of the plan's answers, and stays away where none is left", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const { club, lesson, student } = place
      yield* leave(place, 1)
      const reply = Effect.fnUntraced(function*() {
        const path = `${club.path}/classroom/lessons/${lesson.public_id}/comments`
        const said = yield* send("POST", path, { token: student.token, body: { body: "Como toco dó maior?" } })
        return yield* send("POST", `${club.path}/comments/${String(at(said.json, "data", "id"))}/assistant-reply`, club)
      })
      assert.strictEqual((yield* reply()).status, 201)
      assert.deepStrictEqual(yield* shown(place), [500, 0, 500])
      const silent = yield* reply()
      assert.deepStrictEqual([silent.status, at(silent.json, "data", "reason")], [200, "budget_exhausted"])
      assert.deepStrictEqual(yield* used(place), [0, 1])
    }))
})

layer(PlansLayer.pipe(Layer.provideMerge(SpansLayer)))(
  "The ask state of a club that can have a plan",
  (it) => {
    it.effect("is read in one statement more than of one that cannot", () =>
      Effect.gen(function*() {
        const place = yield* classroom
        yield* ask(place)
        yield* work
        assert.lengthOf(yield* statements(state(place)), 3)
      }))

    it.effect("waits for nobody who changes the plan", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const place = yield* classroom
        const account = sql`select 1 from billing_accounts where club_id = ${place.club.id} for no key update`
        const asking = yield* whileHeld(
          account,
          Effect.gen(function*() {
            assert.strictEqual((yield* state(place)).status, 200)
            const asking = yield* Effect.forkChild(ask(place))
            yield* untilBlocked()
            return asking
          })
        )
        assert.strictEqual((yield* Fiber.join(asking)).status, 202)
      }))
  }
)
