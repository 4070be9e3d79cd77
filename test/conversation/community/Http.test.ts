import { NodeHttpServer } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpClient, HttpClientRequest, HttpRouter } from "effect/http"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { CommunityApi } from "../../../src/conversation/community/Api.ts"
import { Communities } from "../../../src/conversation/community/Communities.ts"
import { CommunityHttp } from "../../../src/conversation/community/Http.ts"
import { AuthenticationLayer } from "../../../src/identity/authentication/AuthenticationHttp.ts"
import { KeyStore } from "../../../src/identity/keys/KeyStore.ts"
import { ClientAddress } from "../../../src/identity/limits/ClientAddress.ts"
import { RateLimiter } from "../../../src/identity/limits/RateLimiter.ts"
import { RateLimitsLayer } from "../../../src/identity/limits/RateLimitsLayer.ts"
import { WriteCounters } from "../../../src/identity/limits/WriteCounters.ts"
import type { Role } from "../../../src/identity/people/Role.ts"
import { SessionStore } from "../../../src/identity/sessions/SessionStore.ts"
import { JsonBodiesLayer } from "../../../src/platform/http/JsonBodies.ts"
import { RequestErrorsLayer } from "../../../src/platform/http/RequestErrors.ts"
import { NamedRouteLayer } from "../../../src/platform/http/server/RequestLog.ts"
import { IdempotencyLayer } from "../../../src/platform/idempotency/IdempotencyHttp.ts"
import { IdempotencyKeys } from "../../../src/platform/idempotency/IdempotencyKeys.ts"
import { Sealing } from "../../../src/platform/sql/Sealing.ts"
import { makeClub, makeMember } from "../../harness/Makers.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"
import { isAbout } from "../../harness/Refusals.ts"

const SealingLayer = Sealing.layerKeys(Redacted.make(new Uint8Array(32).fill(7)))
  .pipe(Layer.provide(SecureRandom.layerWebCrypto))

/** This group alone, with the middleware of the whole API. */
const RoutesLayer = HttpApiBuilder.layer(HttpApi.make("turma").add(CommunityApi)).pipe(
  Layer.provide(CommunityHttp),
  Layer.provide([
    AuthenticationLayer,
    IdempotencyLayer,
    JsonBodiesLayer,
    NamedRouteLayer,
    RateLimitsLayer,
    RequestErrorsLayer
  ])
)

const TestLayer = HttpRouter.serve(RoutesLayer, { disableLogger: true, disableListenLog: true }).pipe(
  Layer.provideMerge(NodeHttpServer.layerTest),
  Layer.provide([IdempotencyKeys.layer, WriteCounters.layerNoDeps]),
  Layer.provide([RateLimiter.layerMemory, ClientAddress.layer]),
  Layer.provideMerge(Layer.mergeAll(Communities.layer, KeyStore.layer, SessionStore.layer)),
  Layer.provideMerge(Layer.merge(PostgresLayer, SealingLayer)),
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({})))
)

type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE"

interface Answer {
  readonly status: number
  readonly body: {
    // The tests only compare these values.
    readonly data?: Record<string, unknown> & { readonly spaces: ReadonlyArray<Record<string, unknown>> }
    readonly error?: { readonly code: string; readonly message: string }
  }
}

const send = Effect.fnUntraced(function*(
  token: Redacted.Redacted,
  method: Method,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {}
) {
  const request = HttpClientRequest.make(method)(path, { headers }).pipe(HttpClientRequest.bearerToken(token))
  const response = yield* HttpClient
    .execute(body === undefined ? request : HttpClientRequest.bodyJsonUnsafe(request, body))
  const text = yield* response.text
  return { status: response.status, body: text === "" ? {} : JSON.parse(text) } satisfies Answer as Answer
})

/** A club with a community, and the answers of its routes to a member with this role. */
const clubFor = Effect.fnUntraced(function*(role: Role) {
  const club = yield* makeClub({ locale: "en" })
  yield* Effect.flatMap(Communities, (communities) => communities.open(club.id, club))
  const user = yield* makeMember(club, role)
  const sessions = yield* SessionStore
  const { access_token } = yield* sessions.issue({ kind: "admin", user_id: user.id })
  const base = `/v1/clubs/${club.organization_id}/community`
  return {
    base,
    token: access_token,
    call: (method: Method, path: string, body?: unknown, headers?: Record<string, string>) =>
      send(access_token, method, `${base}${path}`, body, headers)
  }
})

const unknownId = "018f0000-0000-7000-8000-000000000001"
const refusal = ({ body, status }: Answer) => [status, body.error?.code]

layer(TestLayer)("the community's routes", (it) => {
  it.effect("publish with a timestamp and unpublish with null", () =>
    Effect.gen(function*() {
      const { call } = yield* clubFor("owner")
      const before = yield* call("GET", "")
      assert.strictEqual(before.body.data?.["published_at"], null)
      const patch = { name: "Roda", description: "Toda terça", published_at: "2026-01-31T09:00:00.5-03:00" }
      const { body, status } = yield* call("PATCH", "", patch)
      assert.strictEqual(status, 200)
      const published = { ...before.body.data, ...patch, published_at: "2026-01-31T12:00:00.500Z" }
      assert.deepStrictEqual<unknown>(body.data, published)
      assert.deepStrictEqual((yield* call("GET", "")).body, body)
      const after = yield* call("PATCH", "", { published_at: null })
      assert.deepStrictEqual<unknown>(after.body.data, { ...body.data, published_at: null })
    }))

  it.effect("answer every field of the contract and no other", () =>
    Effect.gen(function*() {
      const { call } = yield* clubFor("owner")
      const { data } = (yield* call("GET", "")).body
      assert.sameMembers(Object.keys(data ?? {}), [
        "id",
        "name",
        "description",
        "spaces",
        "created_at",
        "published_at"
      ])
      assert.sameMembers(Object.keys(data?.spaces[0] ?? {}), [
        "id",
        "name",
        "access",
        "visibility",
        "posting",
        "position",
        "archived",
        "created_at",
        "description"
      ])
    }))

  it.effect.each([
    ["published_at", { published_at: "soon" }],
    ["published_at", { published_at: "2026-02-30T00:00:00Z" }],
    ["published_at", { published_at: "2026-01-31" }],
    ["published_at", { published_at: 1769860800000 }],
    ["name", { name: "" }],
    ["name", { name: null }],
    ["name", { name: "a".repeat(121) }],
    ["description", { description: "a".repeat(2001) }],
    ["slug", { slug: "roda" }]
  ])("refuse a change with a wrong %s: %j", ([field, patch]) =>
    Effect.gen(function*() {
      const { call } = yield* clubFor("owner")
      const before = yield* call("GET", "")
      const answer = yield* call("PATCH", "", patch)
      assert.deepStrictEqual(refusal(answer), [422, "validation_failed"])
      assert.isTrue(isAbout(answer.body.error?.message, field))
      assert.deepStrictEqual(yield* call("GET", ""), before)
    }))

  it.effect.each(["owner", "admin", "editor"] as const)(
    "let an %s change the community and its spaces",
    (role) =>
      Effect.gen(function*() {
        const { call } = yield* clubFor(role)
        const created = yield* call("POST", "/spaces", { name: "Help" })
        const id = created.body.data?.["id"]
        const ids = (yield* call("GET", "")).body.data?.spaces.map(({ id }) => id).toReversed()
        const answers = [
          created,
          yield* call("PATCH", "", { name: "Roda" }),
          yield* call("PATCH", `/spaces/${id}`, { posting: "staff" }),
          yield* call("PUT", "/spaces/order", { ids }),
          yield* call("DELETE", `/spaces/${id}`),
          yield* call("DELETE", `/spaces/${id}`)
        ]
        assert.deepStrictEqual(answers.map(({ status }) => status), [201, 200, 200, 200, 204, 204])
        assert.deepInclude(created.body.data, { access: "community", visibility: "members", posting: "members" })
        const { data } = (yield* call("GET", "")).body
        assert.deepStrictEqual(data?.["name"], "Roda")
        assert.deepInclude(data?.spaces.at(-1), { id, archived: true, posting: "staff" })
      })
  )

  it.effect.each(["support", "viewer"] as const)("let a %s read and change nothing", (role) =>
    Effect.gen(function*() {
      const { call } = yield* clubFor(role)
      const before = yield* call("GET", "")
      assert.strictEqual(before.status, 200)
      const ids = before.body.data?.spaces.map(({ id }) => id) ?? []
      for (
        const refused of [
          yield* call("PATCH", "", { name: "Roda" }),
          yield* call("POST", "/spaces", { name: "Help" }),
          yield* call("PATCH", `/spaces/${ids[0]}`, { name: "Help" }),
          yield* call("PUT", "/spaces/order", { ids: ids.toReversed() }),
          yield* call("DELETE", `/spaces/${ids[0]}`)
        ]
      ) assert.deepStrictEqual(refusal(refused), [403, "forbidden"])
      assert.deepStrictEqual(yield* call("GET", ""), before)
    }))

  it.effect("answer unknown, malformed and foreign clubs alike", () =>
    Effect.gen(function*() {
      const { token } = yield* clubFor("owner")
      const foreign = yield* clubFor("owner")
      const answers = [
        yield* send(token, "PATCH", `${foreign.base}`, { name: "Mine" }),
        yield* send(token, "PATCH", `/v1/clubs/${unknownId}/community`, { name: "Mine" }),
        yield* send(token, "PATCH", "/v1/clubs/malformed/community", { name: "Mine" })
      ]
      assert.deepStrictEqual(refusal(answers[0] ?? { status: 0, body: {} }), [403, "forbidden"])
      assert.deepStrictEqual(answers, [answers[0], answers[0], answers[0]])
    }))

  it.effect("answer unknown, malformed and foreign spaces with 404", () =>
    Effect.gen(function*() {
      const { call } = yield* clubFor("owner")
      const foreign = yield* clubFor("owner")
      const foreignId = (yield* foreign.call("GET", "")).body.data?.spaces[0]?.["id"]
      for (const id of [unknownId, "malformed", "order", foreignId]) {
        assert.deepStrictEqual(refusal(yield* call("PATCH", `/spaces/${id}`, { name: "Mine" })), [404, "not_found"])
        assert.deepStrictEqual(refusal(yield* call("DELETE", `/spaces/${id}`)), [404, "not_found"])
      }
    }))

  it.effect("refuse an order that is not one", () =>
    Effect.gen(function*() {
      const { call } = yield* clubFor("owner")
      const order = (ids: unknown) => call("PUT", "/spaces/order", { ids })
      assert.deepStrictEqual(refusal(yield* order([unknownId])), [422, "order_invalid"])
      assert.deepStrictEqual(refusal(yield* order(["malformed"])), [422, "validation_failed"])
    }))

  it.effect("create one space for a request that is repeated with its Idempotency-Key", () =>
    Effect.gen(function*() {
      const { call } = yield* clubFor("owner")
      const create = (name: string) => call("POST", "/spaces", { name }, { "idempotency-key": "once" })
      const first = yield* create("Help")
      assert.deepStrictEqual(yield* create("Help"), first)
      assert.deepStrictEqual(refusal(yield* create("Aid")), [422, "idempotency_key_reused"])
      assert.strictEqual((yield* call("GET", "")).body.data?.spaces.length, 3)
    }))
})
