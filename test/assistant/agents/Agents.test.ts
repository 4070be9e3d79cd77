import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, enrolledStudent, foundClub, listAt, outcome, send, tokenAs } from "../../harness/App.ts"
import { isAbout } from "../../harness/Refusals.ts"

interface Club {
  readonly path: string
  readonly token: string
}

const list = ({ path, token }: Club) => send("GET", `${path}/agents`, { token })
const patch = ({ path, token }: Club, id: unknown, body: unknown) =>
  send("PATCH", `${path}/agents/${String(id)}`, { token, body })
const idOf = (club: Club) => Effect.map(list(club), ({ json }) => at(json, "data", 0, "id"))

layer(AppLayer)("A club's agent", (it) => {
  it.effect.each([["en", "Assistant"], ["pt-BR", "Assistente"]] as const)(
    "of a new club in %s is %s, on, with 10 questions a day and no budget",
    ([locale, name]) =>
      Effect.gen(function*() {
        const club = yield* foundClub({ locale })
        const { json } = yield* list(club)
        assert.deepStrictEqual<unknown>(json, {
          data: [{
            id: at(json, "data", 0, "id"),
            name,
            enabled: true,
            daily_limit: 10,
            monthly_budget: null,
            created_at: "1970-01-01T00:00:00.000Z"
          }],
          next_cursor: null
        })
      })
  )

  it.effect("changes as it is told, and what is absent stays", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const id = yield* idOf(club)
      const changes = [
        { name: "Prof. Lia" },
        { enabled: false },
        { daily_limit: 0 },
        { daily_limit: 1000 },
        { monthly_budget: 0 },
        { monthly_budget: 1_000_000 },
        { monthly_budget: null },
        {}
      ]
      for (const change of changes) {
        const before = at((yield* list(club)).json, "data", 0)
        const answer = yield* patch(club, id, change)
        assert.strictEqual(answer.status, 200, answer.text)
        assert.deepStrictEqual<unknown>(at(answer.json, "data"), { ...Object(before), ...change })
        assert.deepStrictEqual(at((yield* list(club)).json, "data", 0), at(answer.json, "data"))
      }
    }))

  it.effect.each([
    ["name", { name: "" }],
    ["name", { name: "a".repeat(81) }],
    ["enabled", { enabled: null }],
    ["daily_limit", { daily_limit: -1 }],
    ["daily_limit", { daily_limit: 1001 }],
    ["daily_limit", { daily_limit: 1.5 }],
    ["daily_limit", { daily_limit: null }],
    ["monthly_budget", { monthly_budget: -1 }],
    ["monthly_budget", { monthly_budget: 1_000_001 }],
    ["id", { id: "1" }]
  ])("is refused with a wrong %s: %j", ([field, body]) =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const answer = yield* patch(club, yield* idOf(club), body)
      assert.deepStrictEqual(outcome(answer), [422, "validation_failed"])
      assert.isTrue(isAbout(at(answer.json, "error", "message"), field), answer.text)
    }))

  it.effect("is another club's business to nobody", () =>
    Effect.gen(function*() {
      const [club, foreign] = [yield* foundClub(), yield* foundClub()]
      const before = (yield* list(foreign)).text
      for (const id of [yield* idOf(foreign), "0190a000-0000-7000-8000-00000000000f", "1"]) {
        assert.deepStrictEqual(outcome(yield* patch(club, id, { name: "X" })), [404, "not_found"])
      }
      assert.strictEqual((yield* list(foreign)).text, before)
      assert.lengthOf(listAt((yield* list(club)).json, "data"), 1)
    }))

  it.effect("is read by every member and changed by the administration", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const id = yield* idOf(club)
      for (const [role, status] of [["admin", 200], ["editor", 403], ["support", 403], ["viewer", 403]] as const) {
        const member = { path: club.path, token: yield* tokenAs(club, role) }
        assert.strictEqual((yield* list(member)).status, 200)
        assert.strictEqual((yield* patch(member, id, { name: role })).status, status, role)
      }
      const student = { path: club.path, token: (yield* enrolledStudent(club)).token }
      assert.deepStrictEqual(outcome(yield* list(student)), [401, "unauthenticated"])
    }))
})
