import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, enrolledStudent, foundClub, listAt, outcome, send, tokenAs } from "../../harness/App.ts"
import { isAbout } from "../../harness/Refusals.ts"

interface Club {
  readonly path: string
  readonly token: string
}

interface Student {
  readonly id: string
  readonly token: string
}

const give = ({ path, token }: Club, { id }: { readonly id: string }, body: unknown, headers = {}) =>
  send("POST", `${path}/students/${id}/points`, { token, body, headers })

const statement = ({ path, token }: Club, { id }: { readonly id: string }, query = "") =>
  send("GET", `${path}/students/${id}/points${query}`, { token })

const standing = ({ path }: Club, { token }: Student) => send("GET", `${path}/classroom/gamification`, { token })

const put = ({ path, token }: Club, levels: unknown) =>
  send("PUT", `${path}/gamification/levels`, { token, body: { levels } })

const setUp = Effect.gen(function*() {
  const club = yield* foundClub()
  return { club, student: yield* enrolledStudent(club) }
})

const unknownId = "0190a000-0000-7000-8000-000000000001"

layer(AppLayer)("An adjustment", (it) => {
  it.effect("answers 201 with its line of the statement", () =>
    Effect.gen(function*() {
      const { club, student } = yield* setUp
      const answer = yield* give(club, student, { points: 120, reason: "Ajudou na roda" })
      assert.strictEqual(answer.status, 201)
      const id = at(answer.json, "data", "id")
      assert.deepStrictEqual<unknown>(answer.json, {
        data: {
          id,
          action: "adjustment",
          origin_id: id,
          points: 120,
          reason: "Ajudou na roda",
          actor_user_id: club.owner.id,
          created_at: "1970-01-01T00:00:00.000Z"
        }
      })
      const { json } = yield* statement(club, student)
      assert.deepStrictEqual(listAt(json, "data", "entries"), [at(answer.json, "data")])
    }))

  it.effect("counts once for a request that is repeated with its Idempotency-Key", () =>
    Effect.gen(function*() {
      const { club, student } = yield* setUp
      const once = { "idempotency-key": "ajuste" }
      const first = yield* give(club, student, { points: 5, reason: "a" }, once)
      const second = yield* give(club, student, { points: 5, reason: "a" }, once)
      assert.deepStrictEqual([second.status, second.text], [201, first.text])
      assert.strictEqual(at((yield* statement(club, student)).json, "data", "total"), 5)
    }))

  it.effect.each([
    ["points", { points: 0, reason: "a" }],
    ["points", { points: 1.5, reason: "a" }],
    ["points", { points: "5", reason: "a" }],
    ["points", { reason: "a" }],
    ["reason", { points: 5 }],
    ["reason", { points: 5, reason: "" }],
    ["action", { points: 5, reason: "a", action: "quiz_passed" }]
  ])("is refused with a wrong %s: %j", ([field, body]) =>
    Effect.gen(function*() {
      const { club, student } = yield* setUp
      const answer = yield* give(club, student, body)
      assert.deepStrictEqual(outcome(answer), [422, "validation_failed"])
      assert.isTrue(isAbout(at(answer.json, "error", "message"), field), answer.text)
      assert.strictEqual(at((yield* statement(club, student)).json, "data", "total"), 0)
    }))

  it.effect.each([["owner", 201], ["admin", 201], ["editor", 403], ["support", 403], ["viewer", 403]] as const)(
    "by a member who is %s answers %d, and the statement is read",
    ([role, status]) =>
      Effect.gen(function*() {
        const { club, student } = yield* setUp
        const member = { path: club.path, token: yield* tokenAs(club, role) }
        const answer = yield* give(member, student, { points: 5, reason: "a" })
        assert.deepStrictEqual(outcome(answer), [status, status === 403 ? "forbidden" : undefined])
        const read = yield* statement(member, student)
        assert.deepStrictEqual([read.status, at(read.json, "data", "total")], [200, status === 403 ? 0 : 5])
      })
  )

  it.effect("finds no student of another club, and is not for students", () =>
    Effect.gen(function*() {
      const [{ club, student }, other] = [yield* setUp, yield* setUp]
      const adjustment = { points: 5, reason: "a" }
      for (const id of [other.student.id, unknownId, "malformed"]) {
        assert.deepStrictEqual(outcome(yield* give(club, { id }, adjustment)), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* statement(club, { id })), [404, "not_found"])
      }
      const own = { path: club.path, token: student.token }
      assert.deepStrictEqual(outcome(yield* give(own, student, adjustment)), [401, "unauthenticated"])
      assert.deepStrictEqual(outcome(yield* statement(own, student)), [401, "unauthenticated"])
      assert.strictEqual(at((yield* statement(other.club, other.student)).json, "data", "total"), 0)
    }))
})

layer(AppLayer)("A student's level", (it) => {
  it.effect("is read by the student with the one above it, none at the top", () =>
    Effect.gen(function*() {
      const { club, student } = yield* setUp
      const { json } = yield* put(club, [{ name: "A", min_points: 0 }, { name: "B", min_points: 100 }])
      const levels = listAt(json, "data", "levels")
      const [a, b] = levels
      const read = Effect.map(standing(club, student), ({ json }) => at(json, "data"))
      assert.deepStrictEqual<unknown>(yield* read, { enabled: true, points: 0, level: a, next_level: b, levels })
      yield* give(club, student, { points: 99, reason: "a" })
      assert.deepStrictEqual<unknown>(yield* read, { enabled: true, points: 99, level: a, next_level: b, levels })
      yield* give(club, student, { points: 1, reason: "a" })
      assert.deepStrictEqual<unknown>(yield* read, { enabled: true, points: 100, level: b, next_level: null, levels })
      yield* give(club, student, { points: -150, reason: "a" })
      assert.deepStrictEqual<unknown>(yield* read, { enabled: true, points: -50, level: a, next_level: b, levels })
    }))

  it.effect("follows a new ladder at once, for every student and on both sides", () =>
    Effect.gen(function*() {
      const { club, student } = yield* setUp
      const other = yield* enrolledStudent(club)
      yield* give(club, student, { points: 50, reason: "a" })
      yield* give(club, other, { points: 9, reason: "a" })
      const ladders = [
        { points: [0, 10, 60], names: ["From 10", "From 0"] },
        { points: [0, 50, 9], names: ["From 50", "From 9"] },
        { points: [0, 51], names: ["From 0", "From 0"] }
      ]
      for (const { names, points } of ladders) {
        yield* put(club, points.map((min_points) => ({ name: `From ${min_points}`, min_points })))
        for (const [n, who] of [student, other].entries()) {
          assert.strictEqual(at((yield* statement(club, who)).json, "data", "level", "name"), names[n])
          assert.strictEqual(at((yield* standing(club, who)).json, "data", "level", "name"), names[n])
        }
      }
    }))

  it.effect("is the student's own, in the club of their session", () =>
    Effect.gen(function*() {
      const [{ club, student }, other] = [yield* setUp, yield* setUp]
      assert.deepStrictEqual(outcome(yield* standing(other.club, student)), [403, "forbidden"])
      const asMember = yield* send("GET", `${club.path}/classroom/gamification`, club)
      assert.deepStrictEqual(outcome(asMember), [401, "unauthenticated"])
    }))
})

layer(AppLayer)("A student's statement", (it) => {
  it.effect("has every entry on exactly one page, with the same level, while points arrive", () =>
    Effect.gen(function*() {
      const { club, student } = yield* setUp
      const given: Array<unknown> = []
      for (let n = 1; n <= 5; n++) given.push(at((yield* give(club, student, { points: n, reason: "a" })).json, "data"))
      const first = yield* statement(club, student, "?limit=3")
      yield* give(club, student, { points: 1, reason: "late" })
      const cursor = String(at(first.json, "next_cursor"))
      const second = yield* statement(club, student, `?limit=3&cursor=${cursor}`)
      const entries = [first, second].flatMap(({ json }) => listAt(json, "data", "entries"))
      assert.sameDeepMembers(entries.filter((entry) => at(entry, "reason") === "a"), given)
      assert.lengthOf(entries, new Set(entries.map((entry) => at(entry, "id"))).size)
      assert.strictEqual(at(first.json, "data", "total"), 15)
      assert.strictEqual(at(second.json, "data", "total"), 16)
      assert.deepStrictEqual(at(second.json, "data", "level"), at(first.json, "data", "level"))
    }))

  it.effect("refuses a bad cursor and a bad limit", () =>
    Effect.gen(function*() {
      const { club, student } = yield* setUp
      assert.deepStrictEqual(outcome(yield* statement(club, student, "?cursor=x")), [400, "invalid_cursor"])
      for (const limit of ["0", "101", "x"]) {
        assert.deepStrictEqual(outcome(yield* statement(club, student, `?limit=${limit}`)), [422, "validation_failed"])
      }
    }))

  it.effect("is the student's own too, page by page, without what the staff wrote for itself", () =>
    Effect.gen(function*() {
      const { club, student } = yield* setUp
      const other = yield* enrolledStudent(club)
      for (const points of [5, -2]) yield* give(club, student, { points, reason: "Combinado" })
      yield* give(club, other, { points: 7, reason: "Outro" })
      const own = (query = "") => send("GET", `${club.path}/classroom/points${query}`, student)
      const first = yield* own("?limit=1")
      const second = yield* own(`?limit=1&cursor=${at(first.json, "next_cursor")}`)
      const shown = [first, second].map(({ json }) => [
        at(json, "data", "total"),
        listAt(json, "data", "entries").map((entry) =>
          ["action", "points", "reason", "actor_user_id"].map((key) => at(entry, key))
        )
      ])
      assert.deepStrictEqual(shown, [[3, [["adjustment", -2, null, null]]], [3, [["adjustment", 5, null, null]]]])
      assert.isNull(at(second.json, "next_cursor"))
      assert.notInclude(first.text, "Combinado")
    }))
})
