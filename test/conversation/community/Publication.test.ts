import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, enrolledStudent, foundClub, outcome, send } from "../../harness/App.ts"
import { isAbout } from "../../harness/Refusals.ts"

interface Club {
  readonly path: string
  readonly token: string
}

const read = ({ path, token }: Club) => send("GET", `${path}/community`, { token })

const patch = ({ path, token }: Club, body: unknown) => send("PATCH", `${path}/community`, { token, body })

const publishedAt = (answer: { readonly json: unknown }) => at(answer.json, "data", "published_at")

layer(AppLayer)("The publication of a community", (it) => {
  it.effect("goes from null to a timestamp to another one and back, each answered and kept", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      assert.isNull(publishedAt(yield* read(club)))
      const moves = [
        ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000Z"],
        ["2020-02-29T23:59:59.999-03:00", "2020-03-01T02:59:59.999Z"],
        ["2999-12-31T00:00:00Z", "2999-12-31T00:00:00.000Z"],
        [null, null],
        [null, null]
      ]
      for (const [published_at, expected] of moves) {
        const answer = yield* patch(club, { published_at })
        assert.deepStrictEqual([answer.status, publishedAt(answer)], [200, expected])
        assert.strictEqual((yield* read(club)).text, answer.text)
      }
    }))

  it.effect("stays when other fields change, and other fields stay when it changes", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const published = yield* patch(club, { published_at: "2026-01-31T12:00:00.000Z" })
      const renamed = yield* patch(club, { name: "Roda", description: "Toda terça" })
      assert.deepStrictEqual<unknown>(renamed.json, {
        data: { ...Object(at(published.json, "data")), name: "Roda", description: "Toda terça" }
      })
      const hidden = yield* patch(club, { published_at: null })
      assert.deepStrictEqual<unknown>(hidden.json, {
        data: { ...Object(at(renamed.json, "data")), published_at: null }
      })
      assert.strictEqual((yield* patch(club, {})).text, hidden.text)
    }))

  it.effect("is not changed by a request that is refused for another field", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const refused = yield* patch(club, { name: "", published_at: "2026-01-31T12:00:00.000Z" })
      assert.deepStrictEqual(outcome(refused), [422, "validation_failed"])
      assert.isNull(publishedAt(yield* read(club)))
    }))

  it.effect("is no other club's", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* foundClub(), yield* foundClub()]
      yield* patch(club, { published_at: "2026-01-31T12:00:00.000Z" })
      assert.isNull(publishedAt(yield* read(other)))
    }))
})

layer(AppLayer)("The staff's view of a community", (it) => {
  it.effect("is neither a student's nor a stranger's", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      yield* patch(club, { published_at: "2026-01-31T12:00:00.000Z" })
      const { token } = yield* enrolledStudent(club)
      const answers = [
        yield* read({ path: club.path, token }),
        yield* patch({ path: club.path, token }, { published_at: null }),
        yield* send("GET", `${club.path}/community`),
        yield* send("PATCH", `${club.path}/community`, { body: { published_at: null } }),
        yield* send("POST", `${club.path}/community/spaces`, { token, body: { name: "A" } })
      ]
      assert.deepStrictEqual(answers.map(outcome), answers.map(() => [401, "unauthenticated"]))
      assert.strictEqual(publishedAt(yield* read(club)), "2026-01-31T12:00:00.000Z")
    }))

  it.effect.each([
    { name: "a", description: "" },
    { name: "🎸".repeat(120), description: "🥁".repeat(2000) }
  ])("takes %j", (texts) =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const answer = yield* patch(club, texts)
      assert.strictEqual(answer.status, 200)
      assert.deepInclude(at(answer.json, "data"), texts)
      const space = yield* send("POST", `${club.path}/community/spaces`, { token: club.token, body: texts })
      assert.strictEqual(space.status, 201)
      assert.deepInclude(at(space.json, "data"), texts)
    }))

  const space = { name: "A" }

  it.effect.each([
    ["name", {}],
    ["name", { name: "" }],
    ["name", { name: "a".repeat(121) }],
    ["description", { ...space, description: null }],
    ["description", { ...space, description: "a".repeat(2001) }],
    ["access", { ...space, access: "everybody" }],
    ["visibility", { ...space, visibility: "private" }],
    ["posting", { ...space, posting: "owner" }],
    ["position", { ...space, position: 1 }],
    ["archived", { ...space, archived: true }]
  ])("refuses a space with a wrong %s: %j", ([field, body]) =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const before = yield* read(club)
      const answer = yield* send("POST", `${club.path}/community/spaces`, { token: club.token, body })
      assert.deepStrictEqual(outcome(answer), [422, "validation_failed"])
      assert.isTrue(isAbout(at(answer.json, "error", "message"), field), answer.text)
      assert.strictEqual((yield* read(club)).text, before.text)
    }))

  it.effect("refuses the 101st space", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const create = send("POST", `${club.path}/community/spaces`, { token: club.token, body: space })
      for (let n = 3; n <= 100; n++) assert.strictEqual((yield* create).status, 201)
      assert.deepStrictEqual(outcome(yield* create), [409, "space_limit_reached"])
    }))
})
