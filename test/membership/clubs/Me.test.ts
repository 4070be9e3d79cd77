import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { AppLayer, at, enrolledStudent, foundClub, listAt, outcome, send, tokenOf } from "../../harness/App.ts"
import { makeClub, makeMember, makeUser } from "../../harness/Makers.ts"
import { isAbout } from "../../harness/Refusals.ts"

layer(AppLayer)("GET /v1/me", (it) => {
  it.effect("answers exactly the account and the clubs it belongs to", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      yield* foundClub()
      const { json: founded } = yield* send("GET", club.path, club)
      const answer = yield* send("GET", "/v1/me", club)
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual<unknown>(answer.json, {
        data: {
          id: club.owner.id,
          name: club.owner.name,
          email: club.owner.email,
          verified: true,
          organizations: [{
            organization_id: club.organization_id,
            name: "Violão Fácil",
            role: "owner",
            slug: at(founded, "data", "slug")
          }]
        }
      })
      assert.notInclude(answer.text, club.id)
    }))

  it.effect("lists no club for somebody who belongs to none", () =>
    Effect.gen(function*() {
      const token = yield* tokenOf(yield* makeUser())
      assert.deepStrictEqual(at((yield* send("GET", "/v1/me", { token })).json, "data", "organizations"), [])
    }))

  it.effect("is for administrators", () =>
    Effect.gen(function*() {
      const { token } = yield* enrolledStudent(yield* foundClub())
      assert.deepStrictEqual(outcome(yield* send("GET", "/v1/me", { token })), [401, "unauthenticated"])
      assert.deepStrictEqual(outcome(yield* send("GET", "/v1/me")), [401, "unauthenticated"])
    }))
})

layer(AppLayer)("The clubs of a person", (it) => {
  it.effect("come in the order in which they joined them, each with their role there", () =>
    Effect.gen(function*() {
      const user = yield* makeUser()
      const clubs = [yield* makeClub(), yield* makeClub(), yield* makeClub(), yield* makeClub()]
      const joined = [
        [clubs[2], "viewer"],
        [clubs[0], "owner"],
        [clubs[3], "support"],
        [clubs[1], "editor"]
      ] as const
      for (const [club, role] of joined) {
        if (club === undefined) continue
        yield* makeMember(club, role, user)
        yield* TestClock.adjust("1 second")
      }
      const { json } = yield* send("GET", "/v1/me", { token: yield* tokenOf(user) })
      assert.deepStrictEqual(
        listAt(json, "data", "organizations").map((it) => [at(it, "organization_id"), at(it, "role")]),
        joined.map(([club, role]) => [club?.organization_id, role])
      )
    }))
})

layer(AppLayer)("PATCH /v1/me", (it) => {
  it.effect("renames the person everywhere", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const before = yield* send("GET", "/v1/me", club)
      const answer = yield* send("PATCH", "/v1/me", { token: club.token, body: { name: "Dona Ivone" } })
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual<unknown>(answer.json, {
        data: { ...Object(at(before.json, "data")), name: "Dona Ivone" }
      })
      assert.strictEqual((yield* send("GET", "/v1/me", club)).text, answer.text)
      const members = yield* send("GET", `${club.path}/members`, club)
      assert.strictEqual(at(members.json, "data", 0, "name"), "Dona Ivone")
    }))

  it.effect("renames nobody else", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* foundClub(), yield* foundClub()]
      yield* send("PATCH", "/v1/me", { token: one.token, body: { name: "Outra" } })
      assert.strictEqual(at((yield* send("GET", "/v1/me", other)).json, "data", "name"), other.owner.name)
    }))

  it.effect("changes nothing when nothing is sent", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const before = yield* send("GET", "/v1/me", club)
      const answer = yield* send("PATCH", "/v1/me", { token: club.token, body: {} })
      assert.deepStrictEqual([answer.status, answer.text], [200, before.text])
    }))

  it.effect.each(["a", "🎶".repeat(200)])("takes the name %s", (name) =>
    Effect.gen(function*() {
      const token = yield* tokenOf(yield* makeUser())
      const answer = yield* send("PATCH", "/v1/me", { token, body: { name } })
      assert.deepStrictEqual([answer.status, at(answer.json, "data", "name")], [200, name])
    }))

  it.effect.each([
    ["name", { name: "" }],
    ["name", { name: "a".repeat(201) }],
    ["name", { name: null }],
    ["email", { email: "other@user.example" }],
    ["verified", { verified: false }],
    ["organizations", { organizations: [] }]
  ])("refuses a wrong %s: %j", ([field, body]) =>
    Effect.gen(function*() {
      const token = yield* tokenOf(yield* makeUser())
      const before = yield* send("GET", "/v1/me", { token })
      const answer = yield* send("PATCH", "/v1/me", { token, body })
      assert.deepStrictEqual(outcome(answer), [422, "validation_failed"])
      assert.isTrue(isAbout(at(answer.json, "error", "message"), field), answer.text)
      assert.strictEqual((yield* send("GET", "/v1/me", { token })).text, before.text)
    }))

  it.effect("is for administrators", () =>
    Effect.gen(function*() {
      const { token } = yield* enrolledStudent(yield* foundClub())
      const answer = yield* send("PATCH", "/v1/me", { token, body: { name: "Bia" } })
      assert.deepStrictEqual(outcome(answer), [401, "unauthenticated"])
    }))
})
