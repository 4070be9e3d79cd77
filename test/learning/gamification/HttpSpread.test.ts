import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, codeOf, enrolledStudent, foundClub, outcome, send, tokenAs } from "../../harness/App.ts"
import { makeStudent } from "../../harness/Makers.ts"

type Club = Effect.Success<ReturnType<typeof foundClub>>

const spread = ({ path, token }: Pick<Club, "path" | "token">, query = "") =>
  send("GET", `${path}/gamification/levels/spread${query}`, { token })

/** A student with this many points. */
const withPoints = Effect.fnUntraced(function*(club: Club, points: number) {
  const student = yield* makeStudent(club)
  const { status, text } = yield* send("POST", `${club.path}/students/${student.id}/points`, {
    token: club.token,
    body: { points, reason: "a" }
  })
  assert.strictEqual(status, 201, text)
  return student
})

const ladder = (club: Club, ...points: ReadonlyArray<number>) =>
  send("PUT", `${club.path}/gamification/levels`, {
    token: club.token,
    body: { levels: points.map((min_points) => ({ name: `From ${min_points}`, min_points })) }
  })

layer(AppLayer)("The spread of students over the levels", (it) => {
  it.effect("counts every student of the club once, with points or without", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* foundClub(), yield* foundClub()]
      yield* ladder(club, 0, 100, 300)
      yield* Effect.forEach([-5, 10, 99, 100, 299, 300, 1000], (points) => withPoints(club, points))
      yield* makeStudent(club)
      yield* withPoints(other, 120)
      const { json, status, text } = yield* spread(club)
      assert.strictEqual(status, 200, text)
      const { histogram, ...rest } = Object(at(json, "data"))
      assert.deepStrictEqual(rest, {
        students: 8,
        levels: [
          { min_points: 0, students_now: 4 },
          { min_points: 100, students_now: 2 },
          { min_points: 300, students_now: 2 }
        ],
        proposed: null,
        moved_up: null,
        moved_down: null
      })
      assert.lengthOf(histogram, 21)
      assert.deepStrictEqual(
        [histogram[0], histogram[1], histogram.at(-1)],
        [{ from: 0, to: 50, students: 3 }, { from: 50, to: 100, students: 1 }, { from: 1000, to: null, students: 1 }]
      )
    }))

  it.effect("tells who would move on another ladder, which is not saved", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      yield* ladder(club, 0, 100, 300)
      yield* Effect.forEach([40, 60, 150, 350], (points) => withPoints(club, points))
      const before = yield* send("GET", `${club.path}/gamification`, { token: club.token })
      const { json } = yield* spread(club, "?min_points=400,0,50")
      const { levels: _, histogram: __, ...rest } = Object(at(json, "data"))
      assert.deepStrictEqual(rest, {
        students: 4,
        proposed: [
          { min_points: 0, students: 1 },
          { min_points: 50, students: 3 },
          { min_points: 400, students: 0 }
        ],
        moved_up: 1,
        moved_down: 1
      })
      assert.strictEqual((yield* send("GET", `${club.path}/gamification`, { token: club.token })).text, before.text)
    }))

  it.effect("counts a removed student no more", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      yield* ladder(club, 0, 100)
      const student = yield* withPoints(club, 120)
      yield* makeStudent(club)
      assert.strictEqual(at((yield* spread(club)).json, "data", "students"), 2)
      yield* send("DELETE", `${club.path}/students/${student.id}`, { token: club.token })
      const { json } = yield* spread(club)
      assert.strictEqual(at(json, "data", "students"), 1)
      assert.deepStrictEqual(at(json, "data", "levels"), [
        { min_points: 0, students_now: 1 },
        { min_points: 100, students_now: 0 }
      ])
      assert.deepStrictEqual(at(json, "data", "histogram"), [{ from: 0, to: null, students: 1 }])
    }))

  it.effect("is there for a club without students", () =>
    Effect.gen(function*() {
      const { json } = yield* spread(yield* foundClub(), "?min_points=0,1")
      assert.strictEqual(at(json, "data", "students"), 0)
      assert.deepStrictEqual(at(json, "data", "histogram"), [{ from: 0, to: null, students: 0 }])
    }))

  it.effect.each([
    ["0", "level_count_invalid"],
    ["0,1,2,3,4,5,6,7,8,9,10,11,12", "level_count_invalid"],
    ["1,2", "level_zero_missing"],
    ["0,5,5", "level_min_points_duplicated"]
  ])("is refused for the ladder %s with %s", ([points, code]) =>
    Effect.gen(function*() {
      assert.deepStrictEqual(outcome(yield* spread(yield* foundClub(), `?min_points=${points}`)), [422, code])
    }))

  it.effect.each(["", "a", "0,", "0,-1", "0,1.5", "0,2147483648", "0, 1"])(
    "is refused for min_points=%j",
    (points) =>
      Effect.gen(function*() {
        const answer = yield* spread(yield* foundClub(), `?min_points=${encodeURIComponent(points)}`)
        assert.deepStrictEqual(outcome(answer), [422, "validation_failed"])
        assert.match(String(at(answer.json, "error", "message")), /^min_points/)
      })
  )

  it.effect("is read by every member and by no student", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      for (const role of ["viewer", "support", "editor"] as const) {
        assert.strictEqual((yield* spread({ ...club, token: yield* tokenAs(club, role) })).status, 200)
      }
      const { token } = yield* enrolledStudent(club)
      assert.strictEqual(codeOf(yield* spread({ ...club, token })), "unauthenticated")
    }))
})
