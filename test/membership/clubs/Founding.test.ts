import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AppLayer, at, enrolledStudent, foundClub, listAt, outcome, send, tokenOf } from "../../harness/App.ts"
import { makeUser } from "../../harness/Makers.ts"
import { warmPool } from "../../harness/Pool.ts"
import { isAbout } from "../../harness/Refusals.ts"

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const found = (token: string, body: unknown, headers: Record<string, string> = {}) =>
  send("POST", "/v1/clubs", { token, body, headers })

const founder = Effect.flatMap(makeUser(), tokenOf)

const slugOf = (answer: { readonly json: unknown }) => at(answer.json, "data", "slug")

const pathOf = (answer: { readonly json: unknown }) => `/v1/clubs/${String(at(answer.json, "data", "organization_id"))}`

layer(AppLayer)("Founding a club", (it) => {
  it.effect("answers 201 with the club, in UTC, in English and open unless said otherwise", () =>
    Effect.gen(function*() {
      const token = yield* founder
      const answer = yield* found(token, { name: "Roda de Choro" })
      assert.strictEqual(answer.status, 201)
      assert.match(String(at(answer.json, "data", "organization_id")), uuid)
      assert.deepStrictEqual<unknown>(answer.json, {
        data: {
          organization_id: at(answer.json, "data", "organization_id"),
          name: "Roda de Choro",
          slug: "roda-de-choro",
          time_zone: "UTC",
          locale: "en",
          sign_up_open: true,
          created_at: "1970-01-01T00:00:00.000Z",
          accent: null,
          welcome: null,
          logo_media_id: null,
          logo_url: null,
          cover_media_id: null,
          cover_url: null
        }
      })
      assert.deepStrictEqual((yield* send("GET", pathOf(answer), { token })).json, answer.json)
    }))

  it.effect("takes slug, time zone, locale and whether sign-up is open", () =>
    Effect.gen(function*() {
      const chosen = {
        name: "Roda",
        slug: "samba-2",
        time_zone: "America/Sao_Paulo",
        locale: "pt-BR",
        sign_up_open: false
      }
      const answer = yield* found(yield* founder, chosen)
      assert.strictEqual(answer.status, 201)
      assert.deepInclude(at(answer.json, "data"), chosen)
    }))

  it.effect("makes the caller its only member and owner", () =>
    Effect.gen(function*() {
      const user = yield* makeUser()
      const token = yield* tokenOf(user)
      const answer = yield* found(token, { name: "Dona" })
      const members = yield* send("GET", `${pathOf(answer)}/members`, { token })
      assert.deepStrictEqual<unknown>(members.json, {
        data: [{
          id: user.id,
          name: user.name,
          email: user.email,
          role: "owner",
          created_at: "1970-01-01T00:00:00.000Z"
        }],
        next_cursor: null
      })
    }))

  it.effect("starts it with a ladder, seven rules and an unpublished community of its name, in its language", () =>
    Effect.gen(function*() {
      const token = yield* founder
      const path = pathOf(yield* found(token, { name: "Partida", locale: "pt-BR" }))
      const { json: gamification } = yield* send("GET", `${path}/gamification`, { token })
      assert.lengthOf(listAt(gamification, "data", "rules"), 7)
      assert.deepInclude(at(gamification, "data", "levels", 0), { name: "Iniciante", min_points: 0 })
      const { json: community } = yield* send("GET", `${path}/community`, { token })
      assert.deepInclude(at(community, "data"), { name: "Partida", description: "", published_at: null })
      assert.deepInclude(at(community, "data", "spaces", 0), { name: "Avisos" })
    }))

  it.effect.each([
    ["Pão de Açúcar!", "pao-de-acucar"],
    ["  Ênfase -- & Ritmo  ", "enfase-ritmo"],
    ["ﬁne Ⅻ ²", "fine-xii-2"],
    ["İstanbul Ångström", "istanbul-angstrom"],
    ["a".repeat(120), "a".repeat(48)],
    [`${"b".repeat(47)} cauda`, "b".repeat(47)]
  ])("makes of the name %s the slug %s", ([name, slug]) =>
    Effect.gen(function*() {
      const answer = yield* found(yield* founder, { name })
      assert.deepStrictEqual([answer.status, slugOf(answer)], [201, slug])
    }))

  it.effect("calls clubs without a Latin letter or digit in their names club, then club-…", () =>
    Effect.gen(function*() {
      const slugs = [
        slugOf(yield* found(yield* founder, { name: "🎸🥁" })),
        slugOf(yield* found(yield* founder, { name: "合唱団" }))
      ]
      assert.strictEqual(slugs[0], "club")
      assert.match(String(slugs[1]), /^club-[0-9a-f]{8}$/)
    }))

  it.effect("adds to a slug made from the name when another club has it, however long it is", () =>
    Effect.gen(function*() {
      const name = "c".repeat(120)
      const slugs = [slugOf(yield* found(yield* founder, { name })), slugOf(yield* found(yield* founder, { name }))]
      assert.strictEqual(slugs[0], "c".repeat(48))
      assert.match(String(slugs[1]), /^c{48}-[0-9a-f]{8}$/)
    }))

  it.effect("gives 20 clubs founded at once with the same name a slug each", () =>
    Effect.gen(function*() {
      yield* warmPool
      const token = yield* founder
      const answers = yield* Effect.all(Array.from({ length: 20 }, () => found(token, { name: "Mesmo Nome" })), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(answers.map(({ status }) => status), Array.from({ length: 20 }, () => 201))
      assert.strictEqual(new Set(answers.map(slugOf)).size, 20)
      assert.include(answers.map(slugOf), "mesmo-nome")
    }))

  it.effect("refuses a chosen slug that another club has, and founds nothing", () =>
    Effect.gen(function*() {
      yield* found(yield* founder, { name: "Primeiro", slug: "escolhido" })
      const token = yield* founder
      const answer = yield* found(token, { name: "Segundo", slug: "escolhido" })
      assert.deepStrictEqual(outcome(answer), [409, "slug_taken"])
      assert.deepStrictEqual(at((yield* send("GET", "/v1/me", { token })).json, "data", "organizations"), [])
    }))

  it.effect("founds one club of 20 that choose the same slug at once", () =>
    Effect.gen(function*() {
      yield* warmPool
      const token = yield* founder
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, (_, n) => found(token, { name: `Corrida ${n}`, slug: "corrida" })),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted((a, b) => a - b), [
        201,
        ...Array.from({ length: 19 }, () => 409)
      ])
      assert.isTrue(answers.every((answer) => answer.status === 201 || outcome(answer)[1] === "slug_taken"))
      const { json } = yield* send("GET", "/v1/me", { token })
      assert.lengthOf(listAt(json, "data", "organizations"), 1)
    }))

  it.effect("takes a name of 120 characters, however many bytes, and a slug of 60", () =>
    Effect.gen(function*() {
      const longest = { name: "🎸".repeat(120), slug: "s".repeat(60) }
      const answer = yield* found(yield* founder, longest)
      assert.strictEqual(answer.status, 201)
      assert.deepInclude(at(answer.json, "data"), longest)
    }))

  it.effect.each([
    ["name", {}],
    ["name", { name: "" }],
    ["name", { name: null }],
    ["name", { name: 7 }],
    ["name", { name: "a".repeat(121) }],
    ["name", { name: "a\u0000b" }],
    ["slug", { name: "A", slug: "" }],
    ["slug", { name: "A", slug: "Maiuscula" }],
    ["slug", { name: "A", slug: "violão" }],
    ["slug", { name: "A", slug: "-a" }],
    ["slug", { name: "A", slug: "a--b" }],
    ["slug", { name: "A", slug: "a-" }],
    ["slug", { name: "A", slug: "a b" }],
    ["slug", { name: "A", slug: "a\n" }],
    ["slug", { name: "A", slug: "a".repeat(61) }],
    ["slug", { name: "A", slug: null }],
    ["time_zone", { name: "A", time_zone: "Mars/Olympus" }],
    ["time_zone", { name: "A", time_zone: "+03:00" }],
    ["time_zone", { name: "A", time_zone: "-0300" }],
    ["time_zone", { name: "A", time_zone: "AET" }],
    ["time_zone", { name: "A", time_zone: "IST" }],
    ["time_zone", { name: "A", time_zone: "BST" }],
    ["time_zone", { name: "A", time_zone: "EST5EDT" }],
    ["time_zone", { name: "A", time_zone: "america/sao_paulo" }],
    ["time_zone", { name: "A", time_zone: "" }],
    ["time_zone", { name: "A", time_zone: "UTC\u0000" }],
    ["locale", { name: "A", locale: "pt" }],
    ["locale", { name: "A", locale: "fr" }],
    ["sign_up_open", { name: "A", sign_up_open: "yes" }],
    ["organization_id", { name: "A", organization_id: "0190a000-0000-7000-8000-000000000001" }]
  ])("refuses a wrong %s: %j", ([field, body]) =>
    Effect.gen(function*() {
      const token = yield* founder
      const answer = yield* found(token, body)
      assert.deepStrictEqual(outcome(answer), [422, "validation_failed"])
      assert.isTrue(isAbout(at(answer.json, "error", "message"), field), answer.text)
      assert.deepStrictEqual(at((yield* send("GET", "/v1/me", { token })).json, "data", "organizations"), [])
    }))

  it.effect.each([
    ["UTC", "2026-01-01 00:00:00"],
    ["America/Sao_Paulo", "2025-12-31 21:00:00"],
    ["Asia/Kolkata", "2026-01-01 05:30:00"],
    ["America/Argentina/Buenos_Aires", "2025-12-31 21:00:00"]
  ])("takes the time zone %s, which the database reads the same way", ([time_zone, local]) =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const answer = yield* found(yield* founder, { name: "Fuso", time_zone })
      assert.strictEqual(at(answer.json, "data", "time_zone"), time_zone)
      const rows = yield* sql`select (timestamptz '2026-01-01T00:00:00Z' at time zone ${time_zone})::text as local`
      assert.deepStrictEqual<unknown>(rows, [{ local }])
    }))

  it.effect("founds one club for a request that is repeated with its Idempotency-Key", () =>
    Effect.gen(function*() {
      const token = yield* founder
      const once = { "idempotency-key": "clube" }
      const first = yield* found(token, { name: "Uma Vez" }, once)
      const second = yield* found(token, { name: "Uma Vez" }, once)
      assert.deepStrictEqual([second.status, second.text], [201, first.text])
      assert.strictEqual(second.headers["idempotency-replayed"], "true")
      assert.deepStrictEqual(outcome(yield* found(token, { name: "Outra" }, once)), [422, "idempotency_key_reused"])
      const { json } = yield* send("GET", "/v1/me", { token })
      assert.lengthOf(listAt(json, "data", "organizations"), 1)
    }))

  it.effect("is not for students or strangers", () =>
    Effect.gen(function*() {
      const { token } = yield* enrolledStudent(yield* foundClub())
      assert.deepStrictEqual(outcome(yield* found(token, { name: "Aluna" })), [401, "unauthenticated"])
      assert.deepStrictEqual(outcome(yield* send("POST", "/v1/clubs", { body: { name: "A" } })), [
        401,
        "unauthenticated"
      ])
    }))
})
