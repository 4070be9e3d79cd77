import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { GamificationRepo } from "../../../src/learning/gamification/GamificationRepo.ts"
import { Gamifications } from "../../../src/learning/gamification/Gamifications.ts"
import { type Level, LevelId } from "../../../src/learning/gamification/Ladder.ts"
import { warmPool } from "../../harness/Pool.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"
import { SpansLayer, statements } from "../../harness/Statements.ts"
import { ladderOf, openClub, withoutIds } from "./OpenClub.ts"

const at = (levels: ReadonlyArray<Level>, n: number): Level => {
  const level = levels[n]
  assert(level !== undefined)
  return level
}

const TestLayer = Layer.merge(Gamifications.layer, GamificationRepo.layer).pipe(
  Layer.provideMerge(PostgresLayer),
  Layer.provideMerge(SpansLayer)
)

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

  it.effect("succeeds for just those of 20 at once whose level the first of them keeps", () =>
    Effect.gen(function*() {
      yield* warmPool
      const gamifications = yield* Gamifications
      const club = yield* openClub()
      const { levels: before } = yield* gamifications.read(club.id)
      const keptBy = (n: number) => at(before, n % before.length).id
      const results = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, n) => n),
        (n) =>
          Effect.result(gamifications.replaceLevels(club.id, [
            { id: keptBy(n), name: `Kept by ${n}`, min_points: n % 2 },
            { name: `New by ${n}`, min_points: 1 - n % 2 },
            ...ladderOf(10 + n)
          ])),
        { concurrency: "unbounded" }
      )
      const after = yield* gamifications.read(club.id)
      // Later requests succeed only if they keep the level that the first one keeps. Other old levels are deleted.
      const kept = before.filter(({ id }) => after.levels.some((level) => level.id === id))
      assert.lengthOf(kept, 1)
      const expected = results.map((_, n) => keptBy(n) === kept[0]?.id ? "replaced" : "level_unknown")
      const outcomes = results.map(Result.match({ onSuccess: () => "replaced", onFailure: ({ error }) => error.code }))
      assert.deepStrictEqual(outcomes, expected)
      const answers = results.filter(Result.isSuccess).map(({ success }) => JSON.stringify(success))
      assert.lengthOf(answers.filter((answer) => answer === JSON.stringify(after)), 1)
    }))

  it.effect("changes nothing when it was planned from a ladder that is no longer the club's", () =>
    Effect.gen(function*() {
      const gamifications = yield* Gamifications
      const repo = yield* GamificationRepo
      const club = yield* openClub()
      const { ladder_version, levels } = yield* repo.read(club.id)
      const after = yield* gamifications.replaceLevels(club.id, ladderOf(0, 10))
      const created = { id: LevelId.make(crypto.randomUUID()), name: "New", min_points: 7 }
      const planned = [{ ...at(levels, 0), name: "Late" }, created] as const
      assert.isFalse(yield* repo.replaceLevels(club.id, ladder_version, planned))
      assert.deepStrictEqual(yield* gamifications.read(club.id), after)
      assert.isTrue(yield* repo.replaceLevels(club.id, ladder_version + 1, planned))
      assert.deepStrictEqual((yield* gamifications.read(club.id)).levels, planned)
    }))

  it.effect("is one statement that reads and one that writes, without a transaction around them", () =>
    Effect.gen(function*() {
      const gamifications = yield* Gamifications
      const club = yield* openClub()
      const { levels } = yield* gamifications.read(club.id)
      const sent = [...levels.slice(0, 2), ...ladderOf(7)]
      const ran = yield* statements(gamifications.replaceLevels(club.id, sent))
      assert.deepStrictEqual(ran.map((text) => text.split(" ")[0]), ["select", "with"])
    }))
})
