import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, enrolledStudent, foundClub, listAt, outcome, send, tokenAs } from "../../harness/App.ts"
import { isAbout } from "../../harness/Refusals.ts"

interface Club {
  readonly path: string
  readonly token: string
}

const read = ({ path, token }: Club) => send("GET", `${path}/gamification`, { token })

const patch = ({ path, token }: Club, body: unknown) => send("PATCH", `${path}/gamification`, { token, body })

layer(AppLayer)("GET /gamification", (it) => {
  it.effect.each(["owner", "admin", "editor", "support", "viewer"] as const)(
    "is read by a member who is %s",
    (role) =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        assert.strictEqual((yield* read({ path: club.path, token: yield* tokenAs(club, role) })).status, 200)
      })
  )

  it.effect("is read by a student of the club as by its members, and by no other club's", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* foundClub(), yield* foundClub()]
      const { token } = yield* enrolledStudent(club)
      const answer = yield* read({ path: club.path, token })
      assert.deepStrictEqual([answer.status, answer.text], [200, (yield* read(club)).text])
      assert.deepStrictEqual(outcome(yield* read({ path: other.path, token })), [403, "forbidden"])
      assert.deepStrictEqual(outcome(yield* send("GET", `${club.path}/gamification`)), [401, "unauthenticated"])
    }))
})

layer(AppLayer)("PATCH /gamification", (it) => {
  it.effect("merges rules by action and leaves what is absent", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const before = yield* read(club)
      const rules = [{ action: "post_published", points: 1000 }, { action: "quiz_passed", points: 0 }]
      const answer = yield* patch(club, { rules })
      assert.strictEqual(answer.status, 200)
      const merged = listAt(before.json, "data", "rules").map((rule) => ({
        ...Object(rule),
        ...rules.find(({ action }) => action === at(rule, "action"))
      }))
      assert.deepStrictEqual<unknown>(answer.json, { data: { ...Object(at(before.json, "data")), rules: merged } })
      assert.strictEqual((yield* read(club)).text, answer.text)
    }))

  it.effect.each([{ enabled: false }, { ranking_visible: false }, {}])(
    "changes with %j nothing else",
    (body) =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const before = yield* read(club)
        const answer = yield* patch(club, body)
        assert.deepStrictEqual<unknown>([answer.status, answer.json], [200, {
          data: { ...Object(at(before.json, "data")), ...body }
        }])
      })
  )

  it.effect.each([
    ["rules[0].daily_cap", { rules: [{ action: "comment_posted", points: 5, daily_cap: 9 }] }],
    ["rules[0].daily_cap", { rules: [{ action: "quiz_passed", points: 5, daily_cap: null }] }],
    ["rules[0].action", { rules: [{ action: "adjustment", points: 5 }] }],
    ["rules[0].action", { rules: [{ action: "login", points: 5 }] }],
    ["rules[0].points", { rules: [{ action: "quiz_passed", points: 1001 }] }],
    ["rules[0].points", { rules: [{ action: "quiz_passed", points: -1 }] }],
    ["rules[0].points", { rules: [{ action: "quiz_passed", points: 0.5 }] }],
    ["rules[0].points", { rules: [{ action: "quiz_passed" }] }],
    ["rules", { rules: [{ action: "quiz_passed", points: 1 }, { action: "quiz_passed", points: 2 }] }],
    ["rules", { rules: null }],
    ["enabled", { enabled: "no" }],
    ["ranking_visible", { ranking_visible: null }],
    ["levels", { levels: [] }]
  ])("refuses a wrong %s: %j, and what came with it", ([field, wrong]) =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const before = yield* read(club)
      const answer = yield* patch(club, { enabled: false, ranking_visible: false, ...Object(wrong) })
      assert.deepStrictEqual(outcome(answer), [422, "validation_failed"])
      assert.isTrue(isAbout(at(answer.json, "error", "message"), field), answer.text)
      assert.strictEqual((yield* read(club)).text, before.text)
    }))

  it.effect.each([["owner", 200], ["admin", 200], ["editor", 403], ["support", 403], ["viewer", 403]] as const)(
    "answers a member who is %s with %d",
    ([role, status]) =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const answer = yield* patch({ path: club.path, token: yield* tokenAs(club, role) }, { enabled: false })
        assert.deepStrictEqual(outcome(answer), [status, status === 403 ? "forbidden" : undefined])
        assert.strictEqual(at((yield* read(club)).json, "data", "enabled"), status === 403)
      })
  )

  it.effect("is not for students", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { token } = yield* enrolledStudent(club)
      const answer = yield* patch({ path: club.path, token }, { enabled: false })
      assert.deepStrictEqual(outcome(answer), [401, "unauthenticated"])
    }))
})
