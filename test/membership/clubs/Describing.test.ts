import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, enrolledStudent, foundClub, outcome, send, tokenAs } from "../../harness/App.ts"
import { warmPool } from "../../harness/Pool.ts"
import { isAbout } from "../../harness/Refusals.ts"

const unknownClub = "/v1/clubs/0b8f7a1e-6f5d-4c3b-8a29-1d0e9f8c7b6a"

layer(AppLayer)("Describing a club", (it) => {
  it.effect.each(["owner", "admin", "editor", "support", "viewer"] as const)(
    "is read by its %s",
    (role) =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const answer = yield* send("GET", club.path, { token: yield* tokenAs(club, role) })
        assert.strictEqual(answer.status, 200)
        assert.deepInclude(at(answer.json, "data"), { organization_id: club.organization_id, name: "Violão Fácil" })
      })
  )

  it.effect.each(["owner", "admin"] as const)("is changed by its %s", (role) =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const token = yield* tokenAs(club, role)
      const patch = {
        name: "Choro Novo",
        slug: `choro-novo-${role}`,
        time_zone: "America/Recife",
        locale: "pt-BR",
        sign_up_open: false
      }
      const { json: before } = yield* send("GET", club.path, { token })
      const answer = yield* send("PATCH", club.path, { token, body: patch })
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual<unknown>(answer.json, { data: { ...Object(at(before, "data")), ...patch } })
      assert.deepStrictEqual((yield* send("GET", club.path, { token })).json, answer.json)
    }))

  it.effect.each(["editor", "support", "viewer"] as const)(
    "is not changed by its %s",
    (role) =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const before = yield* send("GET", club.path, club)
        const answer = yield* send("PATCH", club.path, { token: yield* tokenAs(club, role), body: { name: "Meu" } })
        assert.deepStrictEqual(outcome(answer), [403, "forbidden"])
        assert.strictEqual((yield* send("GET", club.path, club)).text, before.text)
      })
  )

  it.effect.each([
    { name: "Um" },
    { slug: "dois" },
    { time_zone: "Europe/Lisbon" },
    { locale: "pt-BR" },
    { sign_up_open: false },
    {}
  ])("changes with %j nothing else", (patch) =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const before = yield* send("GET", club.path, club)
      const after = yield* send("PATCH", club.path, { token: club.token, body: patch })
      assert.strictEqual(after.status, 200)
      assert.deepStrictEqual<unknown>(after.json, { data: { ...Object(at(before.json, "data")), ...patch } })
    }))

  it.effect.each([
    ["name", { name: null }],
    ["name", { name: "" }],
    ["name", { name: "a".repeat(121) }],
    ["slug", { slug: "Não" }],
    ["slug", { slug: null }],
    ["time_zone", { time_zone: "-03:00" }],
    ["locale", { locale: "es" }],
    ["sign_up_open", { sign_up_open: null }],
    ["created_at", { created_at: "2026-01-01T00:00:00.000Z" }]
  ])("is not changed by a wrong %s: %j, nor by what came with it", ([field, wrong]) =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const before = yield* send("GET", club.path, club)
      const body = { name: "Certo", locale: "pt-BR", ...Object(wrong) }
      const answer = yield* send("PATCH", club.path, { token: club.token, body })
      assert.deepStrictEqual(outcome(answer), [422, "validation_failed"])
      assert.isTrue(isAbout(at(answer.json, "error", "message"), field), answer.text)
      assert.strictEqual((yield* send("GET", club.path, club)).text, before.text)
    }))

  it.effect("refuses another club's slug and takes its own again", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* foundClub(), yield* foundClub()]
      const slug = at((yield* send("GET", other.path, other)).json, "data", "slug")
      const taken = yield* send("PATCH", club.path, { token: club.token, body: { name: "Tomado", slug } })
      assert.deepStrictEqual(outcome(taken), [409, "slug_taken"])
      assert.strictEqual(at((yield* send("GET", club.path, club)).json, "data", "name"), "Violão Fácil")
      assert.strictEqual((yield* send("PATCH", other.path, { token: other.token, body: { slug } })).status, 200)
    }))

  it.effect("gives a slug to one of ten clubs that want it at once", () =>
    Effect.gen(function*() {
      yield* warmPool
      const clubs = yield* Effect.all(Array.from({ length: 10 }, () => foundClub()))
      const answers = yield* Effect.forEach(
        clubs,
        ({ path, token }) => send("PATCH", path, { token, body: { slug: "disputado" } }),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted((a, b) => a - b), [
        200,
        ...Array.from({ length: 9 }, () => 409)
      ])
    }))

  it.effect("answers unknown, malformed and foreign clubs with the same bytes", () =>
    Effect.gen(function*() {
      const [{ token }, foreign] = [yield* foundClub(), yield* foundClub()]
      const paths = [foreign.path, unknownClub, "/v1/clubs/malformed", `/v1/clubs/${foreign.id}`]
      for (
        const parts of [["GET", ""], ["PATCH", ""], ["GET", "/members"], ["POST", "/members/invitations"]] as const
      ) {
        const answers = yield* Effect.forEach(
          paths,
          (path) => send(parts[0], `${path}${parts[1]}`, { token, ...(parts[0] === "GET" ? {} : { body: {} }) })
        )
        assert.deepStrictEqual(answers.map(outcome), paths.map(() => [403, "forbidden"]))
        assert.strictEqual(new Set(answers.map(({ text }) => text)).size, 1)
      }
      assert.strictEqual((yield* send("GET", foreign.path, foreign)).status, 200)
    }))

  it.effect("is no route of students", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { token } = yield* enrolledStudent(club)
      for (const part of ["", "/members", "/members/invitations"]) {
        const answer = yield* send("GET", `${club.path}${part}`, { token })
        assert.deepStrictEqual(outcome(answer), [401, "unauthenticated"])
      }
    }))
})
