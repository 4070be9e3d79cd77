import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { PointBoards } from "../../../src/learning/gamification/PointBoards.ts"
import { AppLayer, at, enrolledStudent, foundClub, listAt, outcome, send, tokenAs, tokenOf } from "../../harness/App.ts"
import { SpansLayer, statements } from "../../harness/Statements.ts"
import { layBoards, momentOf } from "./Classroom.ts"

type Club = Effect.Success<ReturnType<typeof foundClub>>
type Student = Effect.Success<ReturnType<typeof enrolledStudent>>

const give = ({ path, token }: Club, { id }: Pick<Student, "id">, points: number) =>
  send("POST", `${path}/students/${id}/points`, { token, body: { points, reason: "a" } })

const ranking = ({ path, token }: Pick<Club, "path" | "token">, query = "") =>
  send("GET", `${path}/gamification/ranking${query}`, { token })

const seenBy = ({ token }: Student, { path }: Club, query = "") =>
  send("GET", `${path}/classroom/ranking${query}`, { token })

const patch = ({ path, token }: Club, body: unknown) => send("PATCH", `${path}/gamification`, { token, body })

/** Two students with 120 points, one with 30, and one without points. */
const setUp = Effect.gen(function*() {
  const club = yield* foundClub({ locale: "en" })
  const [ana, bia, caio, davi] = [
    yield* enrolledStudent(club),
    yield* enrolledStudent(club),
    yield* enrolledStudent(club),
    yield* enrolledStudent(club)
  ]
  for (const [student, points] of [[ana, 30], [bia, 120], [caio, 120]] as const) yield* give(club, student, points)
  return { club, ana, bia, caio, davi }
})

const placesIn = (answer: { readonly json: unknown }) =>
  listAt(answer.json, "data").map((entry) => [at(entry, "student", "id"), at(entry, "points"), at(entry, "position")])

layer(AppLayer)("The ranking", (it) => {
  it.effect("has who has points, most first, each with name, level and a position that equal points share", () =>
    Effect.gen(function*() {
      const { ana, bia, caio, club } = yield* setUp
      const answer = yield* ranking(club)
      assert.strictEqual(answer.status, 200)
      const [first] = listAt(answer.json, "data")
      assert.deepStrictEqual<unknown>(first, {
        student: { id: caio.id, name: caio.name },
        points: 120,
        level: { id: at(first, "level", "id"), name: "Learner", min_points: 100 },
        position: 1
      })
      assert.deepStrictEqual(placesIn(answer), [[caio.id, 120, 1], [bia.id, 120, 1], [ana.id, 30, 2]])
      assert.isNull(at(answer.json, "next_cursor"))
    }))

  it.effect("goes on over pages, each student once, with positions that go on", () =>
    Effect.gen(function*() {
      const { ana, bia, caio, club } = yield* setUp
      const first = yield* ranking(club, "?limit=1")
      const second = yield* ranking(club, `?limit=1&cursor=${String(at(first.json, "next_cursor"))}`)
      const third = yield* ranking(club, `?limit=1&cursor=${String(at(second.json, "next_cursor"))}`)
      const places = [first, second, third].flatMap(placesIn)
      assert.deepStrictEqual(places, [[caio.id, 120, 1], [bia.id, 120, 1], [ana.id, 30, 2]])
      assert.isNull(at(third.json, "next_cursor"))
    }))

  it.effect("has nobody who lost all points again", () =>
    Effect.gen(function*() {
      const { ana, bia, caio, club } = yield* setUp
      yield* give(club, ana, -30)
      assert.deepStrictEqual(placesIn(yield* ranking(club)).map(([id]) => id), [caio.id, bia.id])
      yield* give(club, ana, -5)
      assert.deepStrictEqual(placesIn(yield* ranking(club, "?period=7d")).map(([id]) => id), [caio.id, bia.id])
    }))

  it.effect("loses who is removed, whose points stay in their statement", () =>
    Effect.gen(function*() {
      const { ana, bia, caio, club } = yield* setUp
      yield* send("DELETE", `${club.path}/students/${caio.id}`, { token: club.token })
      for (const period of ["7d", "30d", "all"]) {
        const answer = yield* ranking(club, `?period=${period}`)
        assert.deepStrictEqual(placesIn(answer), [[bia.id, 120, 1], [ana.id, 30, 2]], period)
      }
      const statement = yield* send("GET", `${club.path}/students/${caio.id}/points`, { token: club.token })
      assert.strictEqual(at(statement.json, "data", "total"), 120)
    }))

  it.effect("shows the levels of the ladder as it is now", () =>
    Effect.gen(function*() {
      const { club } = yield* setUp
      const levels = [{ name: "Low", min_points: 0 }, { name: "High", min_points: 30 }]
      yield* send("PUT", `${club.path}/gamification/levels`, { token: club.token, body: { levels } })
      const names = listAt((yield* ranking(club)).json, "data").map((entry) => at(entry, "level", "name"))
      assert.deepStrictEqual(names, ["High", "High", "High"])
    }))

  it.effect("is the club's alone", () =>
    Effect.gen(function*() {
      const { club } = yield* setUp
      const other = yield* foundClub()
      assert.deepStrictEqual(placesIn(yield* ranking(other)), [])
      assert.deepStrictEqual(outcome(yield* ranking({ path: club.path, token: other.token })), [403, "forbidden"])
    }))

  it.effect("is read by every member, and students read their own", () =>
    Effect.gen(function*() {
      const { ana, club } = yield* setUp
      for (const role of ["owner", "admin", "editor", "support", "viewer"] as const) {
        const answer = yield* ranking({ path: club.path, token: yield* tokenAs(club, role) })
        assert.strictEqual(answer.status, 200, role)
      }
      const asStudent = yield* ranking({ path: club.path, token: ana.token })
      assert.deepStrictEqual(outcome(asStudent), [401, "unauthenticated"])
      const asMember = yield* seenBy({ ...ana, token: club.token }, club)
      assert.deepStrictEqual(outcome(asMember), [401, "unauthenticated"])
    }))

  it.effect("refuses another period, and a cursor that is none or of another period", () =>
    Effect.gen(function*() {
      const { bia, club } = yield* setUp
      assert.deepStrictEqual(outcome(yield* ranking(club, "?period=1d")), [422, "validation_failed"])
      assert.deepStrictEqual(outcome(yield* ranking(club, "?cursor=x")), [400, "invalid_cursor"])
      const cursor = String(at((yield* ranking(club, "?limit=1&period=7d")).json, "next_cursor"))
      const query = `?limit=1&period=30d&cursor=${cursor}`
      assert.deepStrictEqual(outcome(yield* ranking(club, query)), [400, "invalid_cursor"])
      assert.deepStrictEqual(outcome(yield* seenBy(bia, club, query)), [400, "invalid_cursor"])
    }))

  it.effect("refuses a cursor that names a place which nobody can have", () =>
    Effect.gen(function*() {
      const { club } = yield* setUp
      const place = { period: "all", points: 10, id: "ffffffff-ffff-ffff-ffff-ffffffffffff", position: 1 }
      const after = (changed: object) => {
        const cursor = Buffer.from(JSON.stringify({ ...place, ...changed })).toString("base64url")
        return Effect.map(ranking(club, `?limit=1&cursor=${cursor}`), outcome)
      }
      assert.strictEqual((yield* after({}))[0], 200)
      const position = 2_147_483_648
      for (const changed of [{ position }, { position: 0 }, { position: -5 }, { points: 0 }, { points: -10 }]) {
        assert.deepStrictEqual(yield* after(changed), [400, "invalid_cursor"], JSON.stringify(changed))
      }
    }))
})

layer(AppLayer)("A student", (it) => {
  it.effect("sees the ranking with their own points, level and position beside it, on every page", () =>
    Effect.gen(function*() {
      const { ana, bia, caio, club } = yield* setUp
      const first = yield* seenBy(ana, club, "?limit=1")
      const cursor = String(at(first.json, "next_cursor"))
      const second = yield* seenBy(ana, club, `?limit=25&cursor=${cursor}`)
      assert.deepStrictEqual([first, second].flatMap(placesIn), [[caio.id, 120, 1], [bia.id, 120, 1], [ana.id, 30, 2]])
      for (const { json } of [first, second]) {
        const level = { id: at(json, "me", "level", "id"), name: "Beginner", min_points: 0 }
        assert.deepStrictEqual<unknown>(at(json, "me"), { points: 30, level, position: 2 })
      }
    }))

  it.effect("without points has no position", () =>
    Effect.gen(function*() {
      const { club, davi } = yield* setUp
      const { json } = yield* seenBy(davi, club)
      assert.deepStrictEqual([at(json, "me", "points"), at(json, "me", "position")], [0, null])
      yield* give(club, davi, -5)
      const below = yield* seenBy(davi, club)
      assert.deepStrictEqual([at(below.json, "me", "points"), at(below.json, "me", "position")], [-5, null])
      assert.lengthOf(listAt(below.json, "data"), 3)
    }))

  it.effect.each([["ranking_visible", { ranking_visible: false }], ["enabled", { enabled: false }]])(
    "does not see it while %s is false; points and levels stay, and so does the staff's ranking",
    ([, hidden]) =>
      Effect.gen(function*() {
        const { bia, club } = yield* setUp
        yield* patch(club, hidden)
        assert.deepStrictEqual(outcome(yield* seenBy(bia, club)), [404, "ranking_hidden"])
        yield* give(club, bia, 200)
        const standing = yield* send("GET", `${club.path}/classroom/gamification`, { token: bia.token })
        assert.deepStrictEqual(
          [at(standing.json, "data", "points"), at(standing.json, "data", "level", "name")],
          [320, "Practitioner"]
        )
        assert.deepStrictEqual(placesIn(yield* ranking(club))[0], [bia.id, 320, 1])
        yield* patch(club, { ranking_visible: true, enabled: true })
        assert.strictEqual((yield* seenBy(bia, club)).status, 200)
      })
  )
})

layer(AppLayer)("A period", (it) => {
  it.effect("is today and the days before in the club's time zone, whatever the level's points are from", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(momentOf("2026-05-01T02:59:59Z"))
      const club = yield* foundClub({ locale: "en" })
      yield* send("PATCH", club.path, { token: club.token, body: { time_zone: "America/Sao_Paulo" } })
      const student = yield* enrolledStudent(club)
      yield* give(club, student, 100)
      yield* TestClock.setTime(momentOf("2026-05-01T03:00:00Z"))
      yield* give(club, student, 1)
      const pointsIn = Effect.fnUntraced(function*(period: string) {
        // Sessions end before the month does, so each read uses a new one.
        const { json } = yield* ranking({ path: club.path, token: yield* tokenOf(club.owner) }, `?period=${period}`)
        const [entry] = listAt(json, "data")
        return [at(entry, "points"), at(entry, "level", "name")]
      })
      const seen: Array<unknown> = []
      for (const now of ["05-07T02:59:59", "05-07T03:00:00", "05-08T03:00:00", "05-30T03:00:00", "05-31T03:00:00"]) {
        yield* TestClock.setTime(momentOf(`2026-${now}Z`))
        seen.push([yield* pointsIn("7d"), yield* pointsIn("30d"), yield* pointsIn("all")])
      }
      const [nobody, one, both] = [[undefined, undefined], [1, "Learner"], [101, "Learner"]]
      assert.deepStrictEqual(seen, [
        [both, both, both],
        [one, both, both],
        [nobody, both, both],
        [nobody, one, both],
        [nobody, nobody, both]
      ])
    }))
})

const BoardsLayer = AppLayer.pipe(Layer.provideMerge(SpansLayer), (app) => Layer.provideMerge(PointBoards.layer, app))

layer(BoardsLayer)("Reading the ranking", (it) => {
  it.effect("takes two statements, the session's included, and one more until the day's board is laid", () =>
    Effect.gen(function*() {
      const { ana, club } = yield* setUp
      const counted = Effect.fnUntraced(function*(period: string) {
        const staff = yield* statements(ranking(club, `?period=${period}`))
        const own = yield* statements(seenBy(ana, club, `?period=${period}`))
        return [staff.length, own.length]
      })
      assert.deepStrictEqual(yield* counted("all"), [2, 2])
      // The club's first scan also reads the club's founder.
      yield* ranking(club, "?period=7d")
      assert.deepStrictEqual([yield* counted("7d"), yield* counted("30d")], [[3, 3], [3, 3]])
      yield* layBoards
      assert.deepStrictEqual([yield* counted("7d"), yield* counted("30d")], [[2, 2], [2, 2]])
    }))
})
