import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Gamifications } from "../../../src/learning/gamification/Gamifications.ts"
import { makeClub } from "../../harness/Makers.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"
import { ladderOf, openClub } from "./OpenClub.ts"

const TestLayer = Gamifications.layer.pipe(Layer.provideMerge(PostgresLayer))

layer(TestLayer)("the gamification of a new club", (it) => {
  it.effect("is on, with seven rules in the contract's order, two of them capped at 5 a day", () =>
    Effect.gen(function*() {
      const gamifications = yield* Gamifications
      const { enabled, ranking_visible, rules } = yield* gamifications.read((yield* openClub()).id)
      assert.isTrue(enabled && ranking_visible)
      assert.deepStrictEqual(rules.map(({ action, daily_cap }) => [action, daily_cap]), [
        ["lesson_completed", null],
        ["course_completed", null],
        ["quiz_passed", null],
        ["assignment_approved", null],
        ["comment_posted", 5],
        ["post_published", 5],
        ["live_attended", null]
      ])
      assert.isTrue(rules.every(({ points }) => points > 0))
    }))

  it.effect("has five levels, named in the club's language", () =>
    Effect.gen(function*() {
      const gamifications = yield* Gamifications
      const names = Effect.fnUntraced(function*(locale: "pt-BR" | "en") {
        const { levels } = yield* gamifications.read((yield* openClub(locale)).id)
        return levels.map(({ name }) => name)
      })
      assert.deepStrictEqual(yield* names("pt-BR"), ["Iniciante", "Aprendiz", "Praticante", "Especialista", "Mestre"])
      assert.deepStrictEqual(yield* names("en"), ["Beginner", "Learner", "Practitioner", "Expert", "Master"])
    }))

  it.effect("has a ladder that may be sent back as it is", () =>
    Effect.gen(function*() {
      const gamifications = yield* Gamifications
      const club = yield* openClub()
      const before = yield* gamifications.read(club.id)
      assert.deepStrictEqual(yield* gamifications.replaceLevels(club.id, before.levels), before)
      assert.deepStrictEqual(yield* gamifications.read(club.id), before)
    }))

  it.effect("is not there when the club is not created after all", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const gamifications = yield* Gamifications
      const club = yield* makeClub()
      const creating = Effect.andThen(gamifications.open(club.id, "en"), Effect.fail("after all"))
      yield* Effect.flip(sql.withTransaction(creating))
      const left = yield* sql`
        select club_id from gamification where club_id = ${club.id}
        union all select club_id from gamification_rules where club_id = ${club.id}
        union all select club_id from levels where club_id = ${club.id}`
      assert.deepStrictEqual(left, [])
    }))
})

layer(TestLayer)("changing the gamification", (it) => {
  it.effect("leaves what is absent as it is", () =>
    Effect.gen(function*() {
      const gamifications = yield* Gamifications
      const club = yield* openClub()
      const before = yield* gamifications.read(club.id)
      assert.deepStrictEqual(yield* gamifications.patch(club.id, {}), before)
      assert.deepStrictEqual(yield* gamifications.patch(club.id, { ranking_visible: false }), {
        ...before,
        ranking_visible: false
      })
      assert.deepStrictEqual(yield* gamifications.patch(club.id, { enabled: false, rules: [] }), {
        ...before,
        ranking_visible: false,
        enabled: false
      })
      assert.deepStrictEqual(yield* gamifications.patch(club.id, { enabled: true, ranking_visible: true }), before)
    }))

  it.effect("merges rules by action and keeps the daily caps", () =>
    Effect.gen(function*() {
      const gamifications = yield* Gamifications
      const club = yield* openClub()
      const before = yield* gamifications.read(club.id)
      const after = yield* gamifications.patch(club.id, {
        rules: [{ action: "live_attended", points: 1000 }, { action: "comment_posted", points: 0 }]
      })
      const changed: Record<string, number> = { live_attended: 1000, comment_posted: 0 }
      assert.deepStrictEqual(
        after.rules,
        before.rules.map((rule) => ({ ...rule, points: changed[rule.action] ?? rule.points }))
      )
    }))

  it.effect("touches no other club", () =>
    Effect.gen(function*() {
      const gamifications = yield* Gamifications
      const [club, other] = [yield* openClub(), yield* openClub()]
      const before = yield* gamifications.read(other.id)
      yield* gamifications.patch(club.id, { enabled: false, rules: [{ action: "quiz_passed", points: 999 }] })
      yield* gamifications.replaceLevels(club.id, ladderOf(0, 1))
      assert.deepStrictEqual(yield* gamifications.read(other.id), before)
    }))

  it.effect("loses nothing when many change different rules and the ladder at once", () =>
    Effect.gen(function*() {
      const gamifications = yield* Gamifications
      const club = yield* openClub()
      const { rules } = yield* gamifications.read(club.id)
      const actions = rules.map(({ action }) => action)
      const patches = actions.map((action, n) => gamifications.patch(club.id, { rules: [{ action, points: 500 + n }] }))
      // Both orders of the same two rules. Requests may wait for each other, but without a deadlock.
      const pairs = Array.from({ length: 10 }, (_, n) => {
        const pair = [{ action: "quiz_passed", points: 502 }, { action: "live_attended", points: 506 }] as const
        return gamifications.patch(club.id, { rules: n % 2 === 0 ? pair : pair.toReversed() })
      })
      const replacements = Array.from({ length: 5 }, (_, n) => gamifications.replaceLevels(club.id, ladderOf(0, n + 1)))
      yield* Effect.all([...patches, ...pairs, ...replacements], { concurrency: "unbounded" })
      const after = yield* gamifications.read(club.id)
      assert.deepStrictEqual(after.rules.map(({ points }) => points), actions.map((_, n) => 500 + n))
      assert.lengthOf(after.levels, 2)
    }))
})
