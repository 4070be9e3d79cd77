import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { GamificationPatch } from "../../src/gamification/Gamification.ts"
import { Gamifications } from "../../src/gamification/Gamifications.ts"
import { type Level, LevelId, type LevelInput } from "../../src/gamification/Ladder.ts"
import { makeClub } from "../support/Makers.ts"
import { PostgresLayer } from "../support/Postgres.ts"

const TestLayer = Gamifications.layer.pipe(Layer.provideMerge(PostgresLayer))

const openClub = Effect.fnUntraced(function*(locale: "pt-BR" | "en" = "pt-BR") {
  const club = yield* makeClub({ locale })
  yield* Gamifications.use((gamifications) => gamifications.open(club.id, locale))
  return club
})

const ladderOf = (...points: ReadonlyArray<number>): ReadonlyArray<LevelInput> =>
  points.map((min_points) => ({ name: `From ${min_points}`, min_points }))

const withoutIds = (levels: ReadonlyArray<Level>) => levels.map(({ min_points, name }) => ({ name, min_points }))

const at = (levels: ReadonlyArray<Level>, n: number): Level => {
  const level = levels[n]
  assert(level !== undefined)
  return level
}

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

layer(TestLayer)("replacing the levels", (it) => {
  it.effect("updates those sent with an id, creates those without, deletes those not sent", () =>
    Effect.gen(function*() {
      const gamifications = yield* Gamifications
      const club = yield* openClub()
      const { levels: before } = yield* gamifications.read(club.id)
      const kept = at(before, 3)
      const { levels } = yield* gamifications.replaceLevels(club.id, [
        { name: "Ouro", min_points: 900 },
        { id: kept.id, name: "Prata", min_points: 50 },
        { name: "Bronze", min_points: 0 }
      ])
      assert.deepStrictEqual(withoutIds(levels), [
        { name: "Bronze", min_points: 0 },
        { name: "Prata", min_points: 50 },
        { name: "Ouro", min_points: 900 }
      ])
      assert.strictEqual(at(levels, 1).id, kept.id)
      const old = before.map(({ id }) => id)
      assert.notInclude(old, at(levels, 0).id)
      assert.notInclude(old, at(levels, 2).id)
    }))

  it.effect("answers the gamification as it is read afterwards", () =>
    Effect.gen(function*() {
      const gamifications = yield* Gamifications
      const club = yield* openClub()
      yield* gamifications.patch(club.id, { enabled: false, rules: [{ action: "quiz_passed", points: 7 }] })
      const answer = yield* gamifications.replaceLevels(club.id, ladderOf(300, 0, 20))
      assert.deepStrictEqual(answer, yield* gamifications.read(club.id))
      assert.isFalse(answer.enabled)
    }))

  it.effect("lets levels swap their points", () =>
    Effect.gen(function*() {
      const gamifications = yield* Gamifications
      const club = yield* openClub()
      const { levels: before } = yield* gamifications.read(club.id)
      const [first, second, ...rest] = before
      assert(second !== undefined)
      const swapped = [{ ...first, min_points: second.min_points }, { ...second, min_points: 0 }, ...rest]
      const { levels } = yield* gamifications.replaceLevels(club.id, swapped)
      assert.deepStrictEqual(levels.map(({ id }) => id), [second.id, first.id, ...rest.map(({ id }) => id)])
    }))

  it.effect("lets a new level take the points of one that goes", () =>
    Effect.gen(function*() {
      const gamifications = yield* Gamifications
      const club = yield* openClub()
      const { levels: before } = yield* gamifications.read(club.id)
      const { levels } = yield* gamifications.replaceLevels(club.id, withoutIds(before))
      assert.deepStrictEqual(withoutIds(levels), withoutIds(before))
      const old = new Set(before.map(({ id }) => id))
      assert.isFalse(levels.some(({ id }) => old.has(id)))
    }))

  it.effect("keeps every name and number as it was sent", () =>
    Effect.gen(function*() {
      const gamifications = yield* Gamifications
      const club = yield* openClub()
      const names = ["NULL", `"{a,b}"`, "c:\\d", "🎸".repeat(40), " é ", "'; --"]
      const points = [0, 1, 2, 40_000, 2_147_483_646, 2_147_483_647]
      yield* gamifications.replaceLevels(club.id, points.map((min_points, n) => ({ name: names[n] ?? "", min_points })))
      const { levels } = yield* gamifications.read(club.id)
      assert.deepStrictEqual(levels.map(({ name }) => name), names)
      assert.deepStrictEqual(levels.map(({ min_points }) => min_points), points)
    }))

  it.effect("refuses a level of another club and changes neither ladder", () =>
    Effect.gen(function*() {
      const gamifications = yield* Gamifications
      const [club, other] = [yield* openClub(), yield* openClub()]
      const [before, others] = [yield* gamifications.read(club.id), yield* gamifications.read(other.id)]
      const sent = before.levels.map((level, n) => n === 1 ? { ...level, id: at(others.levels, 1).id } : level)
      const error = yield* Effect.flip(gamifications.replaceLevels(club.id, sent))
      assert.strictEqual(error.error.code, "level_unknown")
      assert.deepStrictEqual(yield* gamifications.read(club.id), before)
      assert.deepStrictEqual(yield* gamifications.read(other.id), others)
    }))

  it.effect("refuses a level that a replacement before it has deleted", () =>
    Effect.gen(function*() {
      const gamifications = yield* Gamifications
      const club = yield* openClub()
      const { levels } = yield* gamifications.read(club.id)
      yield* gamifications.replaceLevels(club.id, ladderOf(0, 10))
      const error = yield* Effect.flip(gamifications.replaceLevels(club.id, levels))
      assert.strictEqual(error.error.code, "level_unknown")
    }))

  it.effect("leaves one consistent ladder after 50 at once", () =>
    Effect.gen(function*() {
      const gamifications = yield* Gamifications
      const club = yield* openClub()
      const { levels: before } = yield* gamifications.read(club.id)
      const first = at(before, 0)
      const answers = yield* Effect.forEach(
        Array.from({ length: 50 }, (_, n) => n),
        (n) =>
          gamifications.replaceLevels(club.id, [
            { id: first.id, name: `First ${n}`, min_points: 0 },
            ...Array.from({ length: n % 11 + 1 }, (_, m) => ({ name: `${n}.${m}`, min_points: 1 + m * (n + 1) }))
          ]),
        { concurrency: "unbounded" }
      )
      const after = yield* gamifications.read(club.id)
      assert.lengthOf(answers.filter((answer) => JSON.stringify(answer) === JSON.stringify(after)), 1)
      assert.strictEqual(at(after.levels, 0).id, first.id)
    }))

  it.effect("accepts the same ids from only one of several that delete each other's levels", () =>
    Effect.gen(function*() {
      const gamifications = yield* Gamifications
      const club = yield* openClub()
      const { levels } = yield* gamifications.read(club.id)
      const results = yield* Effect.forEach(
        [1, 2, 3, 4],
        (n) =>
          Effect.result(gamifications.replaceLevels(club.id, [
            { name: `Zero ${n}`, min_points: 0 },
            { ...at(levels, n), name: "Kept" }
          ])),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(results.filter(Result.isSuccess), 1)
      assert.deepStrictEqual(
        results.filter(Result.isFailure).map(({ failure }) => failure.error.code),
        ["level_unknown", "level_unknown", "level_unknown"]
      )
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
      // The same two rules in either order: they may wait, but not for each other.
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

const decodePatch = Schema.decodeUnknownResult(GamificationPatch, { onExcessProperty: "error", errors: "all" })

layer(Layer.empty)("a change of the gamification", (it) => {
  const rule = { action: "comment_posted", points: 5 }

  it("takes rules of 0 to 1000 points", () => {
    for (const points of [0, 1000]) assert.isTrue(Result.isSuccess(decodePatch({ rules: [{ ...rule, points }] })))
    for (const points of [-1, 1001, 0.5]) assert.isTrue(Result.isFailure(decodePatch({ rules: [{ ...rule, points }] })))
  })

  it.each([
    ["a daily cap, which the platform fixes", [{ ...rule, daily_cap: 5 }]],
    ["a rule for adjustments", [{ action: "adjustment", points: 5 }]],
    ["an unknown action", [{ action: "login", points: 5 }]],
    ["two rules for one action", [rule, { ...rule, points: 6 }]],
    ["a rule without points", [{ action: "quiz_passed" }]]
  ])("does not take %s", (_, rules) => {
    assert.isTrue(Result.isFailure(decodePatch({ rules })))
  })

  it("does not take null or levels", () => {
    assert.isTrue(Result.isFailure(decodePatch({ enabled: null })))
    assert.isTrue(Result.isFailure(decodePatch({ levels: [{ id: LevelId.make(crypto.randomUUID()) }] })))
  })
})
