import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, enrolledStudent, foundClub, listAt, outcome, send, tokenAs } from "../../harness/App.ts"
import { warmPool } from "../../harness/Pool.ts"
import { isAbout } from "../../harness/Refusals.ts"

interface Club {
  readonly path: string
  readonly token: string
}

const read = ({ path, token }: Club) => send("GET", `${path}/gamification`, { token })

const put = ({ path, token }: Club, levels: unknown) =>
  send("PUT", `${path}/gamification/levels`, { token, body: { levels } })

const levelsOf = (answer: { readonly json: unknown }) => listAt(answer.json, "data", "levels")

const idOf = (level: unknown) => at(level, "id")

/** New levels from these points on. */
const from = (...points: ReadonlyArray<number>) =>
  points.map((min_points) => ({ name: `From ${min_points}`, min_points }))

const withoutIds = (levels: ReadonlyArray<unknown>) =>
  levels.map((level) => ({ name: at(level, "name"), min_points: at(level, "min_points") }))

layer(AppLayer)("PUT /gamification/levels", (it) => {
  it.effect("takes the ladder in any order and answers it from the lowest level up", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const before = yield* read(club)
      const answer = yield* put(club, from(500, 0, 1, 90, 100))
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual<unknown>(withoutIds(levelsOf(answer)), from(0, 1, 90, 100, 500))
      assert.deepStrictEqual<unknown>(answer.json, {
        data: { ...Object(at(before.json, "data")), levels: levelsOf(answer) }
      })
      assert.strictEqual((yield* read(club)).text, answer.text)
    }))

  it.effect("updates what is sent with an id, creates what is sent without and deletes what is not sent", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const before = levelsOf(yield* read(club))
      const [zero, , third] = before
      const answer = yield* put(club, [
        { id: idOf(third), name: "Topo", min_points: 20 },
        { name: "Novo", min_points: 10 },
        { id: idOf(zero), name: "Base", min_points: 0 }
      ])
      const after = levelsOf(answer)
      assert.deepStrictEqual<unknown>(after, [
        { id: idOf(zero), name: "Base", min_points: 0 },
        { id: idOf(after[1]), name: "Novo", min_points: 10 },
        { id: idOf(third), name: "Topo", min_points: 20 }
      ])
      assert.notInclude(before.map(idOf), idOf(after[1]))
    }))

  it.effect("lets two levels swap their points and keep their ids", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { json } = yield* put(club, from(0, 10))
      const [low, high] = levelsOf({ json })
      const answer = yield* put(club, [{ ...Object(low), min_points: 10 }, { ...Object(high), min_points: 0 }])
      assert.deepStrictEqual(levelsOf(answer).map(idOf), [idOf(high), idOf(low)])
    }))

  it.effect("answers the same for the ladder that there is, sent back", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const before = yield* read(club)
      assert.strictEqual((yield* put(club, levelsOf(before))).text, before.text)
    }))

  it.effect.each([2, 12])("takes %d levels", (count) =>
    Effect.gen(function*() {
      const answer = yield* put(yield* foundClub(), from(...Array.from({ length: count }, (_, n) => n)))
      assert.strictEqual(answer.status, 200)
      assert.lengthOf(levelsOf(answer), count)
    }))

  it.effect.each(["a", "a".repeat(40), "🏆".repeat(40), "é".repeat(40)])(
    "takes the name %s",
    (name) =>
      Effect.gen(function*() {
        const answer = yield* put(yield* foundClub(), [{ name, min_points: 0 }, { name, min_points: 1 }])
        assert.deepStrictEqual(levelsOf(answer).map((level) => at(level, "name")), [name, name])
      })
  )

  const zero = { name: "Zero", min_points: 0 }
  const unknownId = "0190a000-0000-7000-8000-000000000001"

  it.effect.each([
    ["level_count_invalid", "none", []],
    ["level_count_invalid", "one", from(0)],
    ["level_count_invalid", "13", from(...Array.from({ length: 13 }, (_, n) => n))],
    ["level_zero_missing", "none with 0 points", from(1, 2)],
    ["level_min_points_duplicated", "two with the same points", from(0, 5, 5)],
    ["level_min_points_duplicated", "two with 0 points", from(0, 0)],
    ["level_unknown", "an unknown id", [zero, { id: unknownId, name: "A", min_points: 1 }]],
    ["level_id_duplicated", "an id twice", [{ ...zero, id: unknownId }, { id: unknownId, name: "A", min_points: 1 }]],
    // Faults of the request alone come before faults that need the ladder.
    ["level_count_invalid", "one, not even with 0 points", from(5)],
    ["level_zero_missing", "none with 0 points, and two with the same", from(5, 5)],
    ["level_min_points_duplicated", "two with the same points, unknown ids", [zero, { ...zero, id: unknownId }]],
    // A wrong field comes before a wrong ladder.
    ["validation_failed", "one, without a name", [{ min_points: 0 }]],
    ["validation_failed", "two with the same negative points", from(-1, -1)]
  ])("refuses with %s: %s", ([code, , levels]) =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const before = yield* read(club)
      assert.deepStrictEqual(outcome(yield* put(club, levels)), [422, code])
      assert.strictEqual((yield* read(club)).text, before.text)
    }))

  it.effect("refuses another club's level and one that is deleted", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* foundClub(), yield* foundClub()]
      const [foreign, old] = [levelsOf(yield* read(other)), levelsOf(yield* read(club))]
      assert.deepStrictEqual(outcome(yield* put(club, foreign)), [422, "level_unknown"])
      const before = yield* put(club, from(0, 1))
      assert.deepStrictEqual(outcome(yield* put(club, old)), [422, "level_unknown"])
      assert.strictEqual((yield* read(club)).text, before.text)
      assert.deepStrictEqual(levelsOf(yield* read(other)), foreign)
    }))

  it.effect.each([
    ["levels", {}],
    ["levels", { levels: null }],
    ["levels", { levels: {} }],
    ["levels[1].name", { levels: [zero, { min_points: 1 }] }],
    ["levels[1].name", { levels: [zero, { name: "", min_points: 1 }] }],
    ["levels[1].name", { levels: [zero, { name: "a".repeat(41), min_points: 1 }] }],
    ["levels[1].name", { levels: [zero, { name: "🏆".repeat(41), min_points: 1 }] }],
    ["levels[1].name", { levels: [zero, { name: null, min_points: 1 }] }],
    ["levels[1].name", { levels: [zero, { name: "a\u0000", min_points: 1 }] }],
    ["levels[1].min_points", { levels: [zero, { name: "A" }] }],
    ["levels[1].min_points", { levels: [zero, { name: "A", min_points: -1 }] }],
    ["levels[1].min_points", { levels: [zero, { name: "A", min_points: 1.5 }] }],
    ["levels[1].min_points", { levels: [zero, { name: "A", min_points: "1" }] }],
    ["levels[1].min_points", { levels: [zero, { name: "A", min_points: null }] }],
    ["levels[1].min_points", { levels: [zero, { name: "A", min_points: 2_147_483_648 }] }],
    ["levels[1].id", { levels: [zero, { id: "1", name: "A", min_points: 1 }] }],
    ["levels[1].id", { levels: [zero, { id: null, name: "A", min_points: 1 }] }],
    ["levels[1].color", { levels: [zero, { name: "A", min_points: 1, color: "red" }] }],
    ["enabled", { levels: from(0, 1), enabled: false }]
  ])("refuses a wrong %s: %j", ([field, body]) =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const before = yield* read(club)
      const answer = yield* send("PUT", `${club.path}/gamification/levels`, { token: club.token, body })
      assert.deepStrictEqual(outcome(answer), [422, "validation_failed"])
      assert.isTrue(isAbout(at(answer.json, "error", "message"), field), answer.text)
      assert.strictEqual((yield* read(club)).text, before.text)
    }))

  it.effect("leaves exactly one of 50 ladders that are sent at once", () =>
    Effect.gen(function*() {
      yield* warmPool
      const club = yield* foundClub()
      const zeroId = idOf(levelsOf(yield* read(club))[0])
      const ladders = Array.from({ length: 50 }, (_, n) => [
        { id: zeroId, name: `Zero ${n}`, min_points: 0 },
        ...Array.from({ length: n % 11 + 1 }, (_, m) => ({ name: `${n}.${m}`, min_points: 1 + m * (n + 1) }))
      ])
      const answers = yield* Effect.forEach(ladders, (levels) => put(club, levels), { concurrency: "unbounded" })
      assert.deepStrictEqual(answers.map(({ status }) => status), ladders.map(() => 200))
      const after = yield* read(club)
      assert.lengthOf(answers.filter(({ text }) => text === after.text), 1)
      const [zero, ...rest] = levelsOf(after)
      assert.strictEqual(idOf(zero), zeroId)
      const sent = ladders.find(([first]) => first?.name === at(zero, "name"))
      assert.deepStrictEqual<unknown>(withoutIds(rest), withoutIds(sent?.slice(1) ?? []))
    }))

  it.effect.each([["owner", 200], ["admin", 200], ["editor", 403], ["support", 403], ["viewer", 403]] as const)(
    "answers a member who is %s with %d",
    ([role, status]) =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const answer = yield* put({ path: club.path, token: yield* tokenAs(club, role) }, from(0, 7))
        assert.deepStrictEqual(outcome(answer), [status, status === 403 ? "forbidden" : undefined])
        assert.lengthOf(levelsOf(yield* read(club)), status === 403 ? 5 : 2)
      })
  )

  it.effect("answers a student with 401 and strangers to the club alike, before it reads the ladder", () =>
    Effect.gen(function*() {
      const [club, foreign] = [yield* foundClub(), yield* foundClub()]
      const { token } = yield* enrolledStudent(club)
      assert.deepStrictEqual(outcome(yield* put({ path: club.path, token }, "?")), [401, "unauthenticated"])
      const paths = [foreign.path, "/v1/clubs/0b8f7a1e-6f5d-4c3b-8a29-1d0e9f8c7b6a", "/v1/clubs/malformed"]
      const answers = yield* Effect.forEach(paths, (path) => put({ path, token: club.token }, "?"))
      assert.deepStrictEqual(answers.map(outcome), paths.map(() => [403, "forbidden"]))
      assert.strictEqual(new Set(answers.map(({ text }) => text)).size, 1)
    }))
})
