import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { FetchHttpClient, HttpServer } from "effect/http"
import { Email, makeClient, OrganizationId, type TurmaClient, withIdempotencyKey } from "turma/client"
import { AppLayer, enrolledStudent, foundClub } from "./harness/App.ts"
import { Mailbox } from "./harness/Mailbox.ts"

const baseUrl = Effect.gen(function*() {
  const { address } = yield* HttpServer.HttpServer
  return address._tag === "UnixPathAddress" ? yield* Effect.die("no port") : `http://127.0.0.1:${address.port}`
})

const clientWith = (token?: string | Redacted.Redacted) =>
  Effect.flatMap(baseUrl, (baseUrl) => makeClient({ baseUrl, token })).pipe(Effect.provide(FetchHttpClient.layer))

const signUp = Effect.fnUntraced(function*(client: TurmaClient, address: string) {
  const mailbox = yield* Mailbox
  const email = Email.make(address)
  const password = Redacted.make("correct horse")
  yield* client.adminAuth.signUp({ payload: { name: "Ana", email, password } })
  yield* client.adminAuth.confirm({ payload: { token: Redacted.make(yield* mailbox.secret(address)) } })
  return { email, password }
})

layer(AppLayer)("the typed client", (it) => {
  it.effect("signs in, founds a club and replaces its ladder", () =>
    Effect.gen(function*() {
      const open = yield* clientWith()
      const payload = yield* signUp(open, "ana@school.example")
      const { data: grant } = yield* open.adminAuth.signIn({ payload })

      const client = yield* clientWith(grant.access_token)
      const { data: me } = yield* client.account.me()
      assert.deepStrictEqual([me.email, me.organizations], ["ana@school.example", []])

      const { data: club } = yield* client.account.createClub({ payload: { name: "Violão Fácil" } })
      const params = { clubId: club.organization_id }
      const { data: gamification } = yield* client.gamification.replaceLevels({
        params,
        payload: { levels: [{ name: "Mestre", min_points: 100 }, { name: "Semente", min_points: 0 }] }
      })
      assert.deepStrictEqual(gamification.levels.map(({ name }) => name), ["Semente", "Mestre"])
      assert.deepStrictEqual((yield* client.gamification.read({ params })).data, gamification)
      const page = yield* client.clubs.listMembers({ params, query: { limit: 1 } })
      assert.deepStrictEqual([page.data[0]?.role, page.next_cursor], ["owner", null])
    }))

  it.effect("fails with the contract's errors, each a tag with code and message", () =>
    Effect.gen(function*() {
      const { organization_id, token } = yield* foundClub()
      const stranger = yield* clientWith()
      const unauthenticated = yield* Effect.flip(stranger.account.me())
      assert.deepStrictEqual(
        unauthenticated._tag === "Unauthenticated" ? unauthenticated.error.code : unauthenticated._tag,
        "unauthenticated"
      )

      const client = yield* clientWith(token)
      const refused = yield* client.gamification.replaceLevels({
        params: { clubId: organization_id },
        payload: { levels: [{ name: "A", min_points: 1 }, { name: "B", min_points: 2 }] }
      }).pipe(Effect.catchTag("LevelZeroMissing", ({ error }) => Effect.succeed(error)))
      assert.deepStrictEqual({ ...refused }, {
        code: "level_zero_missing",
        message: "levels must have one with min_points 0"
      })

      const other = OrganizationId.make("6f1b0a1e-9d0f-4d7e-8a43-0d2f6b0c9a11")
      const forbidden = yield* Effect.flip(client.clubs.get({ params: { clubId: other } }))
      assert.strictEqual(forbidden._tag, "Forbidden")
    }))

  it.effect("serves a student with the same option", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { token } = yield* enrolledStudent(club)
      const client = yield* clientWith(Redacted.make(token))
      const params = { clubId: club.organization_id }
      assert.strictEqual((yield* client.gamification.standing({ params })).data.points, 0)
      assert.isNotEmpty((yield* client.gamification.read({ params })).data.levels)
      assert.strictEqual((yield* client.sessions.current()).data.session.kind, "student")
    }))

  it.effect("creates once per idempotency key", () =>
    Effect.gen(function*() {
      const { token } = yield* foundClub()
      const client = yield* clientWith(token)
      const create = client.account.createClub({ payload: { name: "Roda" } })
      const [first, again] = yield* Effect.all([create, create]).pipe(withIdempotencyKey("order-1042"))
      const another = yield* create
      assert.strictEqual(again.data.organization_id, first.data.organization_id)
      assert.notStrictEqual(another.data.organization_id, first.data.organization_id)
    }))
})
