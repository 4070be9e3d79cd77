import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { at, listAt, outcome, send } from "../../harness/App.ts"
import {
  ask,
  cancel,
  type Classroom,
  classroom,
  fails,
  makeLearner,
  patchAgent,
  replyTo,
  say,
  work,
  WorldLayer
} from "../World.ts"

const usage = ({ club }: Pick<Classroom, "club">, query = "") =>
  send("GET", `${club.path}/assistant/usage${query}`, { token: club.token })

const none = { questions: 0, answered: 0, failed: 0, canceled: 0, replies: 0, cost: 0 }

layer(WorldLayer)("What a club's assistant did", (it) => {
  it.effect("is told for each of the club's last days, today's included, as its time zone counts them", () =>
    Effect.gen(function*() {
      // Three hours behind UTC: the club's 10 March ends at 03:00 UTC on 11 March.
      yield* TestClock.setTime(Date.parse("2026-03-11T02:30:00Z"))
      const sql = yield* SqlClient.SqlClient
      const place = yield* classroom
      const { club } = place
      yield* sql`update clubs set time_zone = 'America/Sao_Paulo' where id = ${club.id}`
      const student = yield* makeLearner(club, place.delivery)
      const later = { ...place, student }
      yield* ask(later, "no dia 10")
      yield* work
      yield* TestClock.setTime(Date.parse("2026-03-11T03:30:00Z"))
      yield* ask(later, "no dia 11")
      const { json, status, text } = yield* usage(place)
      assert.strictEqual(status, 200, text)
      assert.strictEqual(at(json, "data", "from"), "2026-03-05T03:00:00.000Z")
      assert.strictEqual(at(json, "data", "until"), "2026-03-12T03:00:00.000Z")
      const days = listAt(json, "data", "days")
      assert.deepStrictEqual(days.map((day) => at(day, "date")), [
        "2026-03-05",
        "2026-03-06",
        "2026-03-07",
        "2026-03-08",
        "2026-03-09",
        "2026-03-10",
        "2026-03-11"
      ])
      assert.deepStrictEqual(days[4], { date: "2026-03-09", ...none })
      assert.deepStrictEqual(days[5], { date: "2026-03-10", ...none, questions: 1, answered: 1, cost: 1 })
      assert.deepStrictEqual(days[6], { date: "2026-03-11", ...none, questions: 1, cost: 1 })
      assert.lengthOf(listAt((yield* usage(place, "?window=30d")).json, "data", "days"), 30)
      assert.deepStrictEqual(outcome(yield* usage(place, "?window=1y")), [422, "validation_failed"])
    }))
})

layer(WorldLayer)("Of what a club's assistant did, its usage", (it) => {
  it.effect("tells answers from failures and what was canceled, and counts no cost that was given back", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* say("falha", fails("provider_unavailable"))
      yield* ask(place, "certa")
      yield* ask(place, "falha")
      yield* work
      yield* cancel(place, yield* replyTo(place, "cancelada"))
      const { json } = yield* usage(place)
      const { cost, ...counts } = { ...none, questions: 3, answered: 1, failed: 1, canceled: 1, cost: 1 }
      assert.deepStrictEqual(listAt(json, "data", "days").at(-1), { date: "1970-01-01", ...counts, cost })
      assert.strictEqual(at(json, "data", "budget", "used"), 1)
    }))

  it.effect("counts replies to comments on the day on which they were written", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const { club, lesson, student } = place
      const written = yield* send("POST", `${club.path}/classroom/lessons/${lesson.public_id}/comments`, {
        token: student.token,
        body: { body: "Como toco dó maior?" }
      })
      const id = String(at(written.json, "data", "id"))
      const replied = yield* send("POST", `${club.path}/comments/${id}/assistant-reply`, { token: club.token })
      assert.strictEqual(replied.status, 201, replied.text)
      const { json } = yield* usage(place)
      assert.deepStrictEqual(listAt(json, "data", "days").at(-1), { date: "1970-01-01", ...none, replies: 1, cost: 1 })
      assert.strictEqual(at(json, "data", "budget", "used"), 1)
    }))

  it.effect("has what is left of the club's month", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const budgetNow = Effect.map(usage(place), ({ json }) => at(json, "data", "budget"))
      const month = { month: "1970-01-01", resets_at: "1970-02-01T00:00:00.000Z" }
      assert.deepStrictEqual(yield* budgetNow, { ...month, monthly_budget: null, used: 0, exhausted: false })
      yield* patchAgent(place.club, { monthly_budget: 1 })
      yield* ask(place)
      assert.deepStrictEqual(yield* budgetNow, { ...month, monthly_budget: 1, used: 1, exhausted: true })
    }))
})
