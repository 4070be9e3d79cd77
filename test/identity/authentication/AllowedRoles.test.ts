import { NodeHttpServer } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { ClubMember } from "../../../src/identity/authentication/Authentication.ts"
import { AuthenticationLayer } from "../../../src/identity/authentication/AuthenticationHttp.ts"
import { KeyStore } from "../../../src/identity/keys/KeyStore.ts"
import { ClientAddress } from "../../../src/identity/limits/ClientAddress.ts"
import { RateLimiter } from "../../../src/identity/limits/RateLimiter.ts"
import { WriteCounters } from "../../../src/identity/limits/WriteCounters.ts"
import { Role } from "../../../src/identity/people/Role.ts"
import { SessionStore } from "../../../src/identity/sessions/SessionStore.ts"
import { send, tokenAs } from "../../harness/App.ts"
import { makeClub } from "../../harness/Makers.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"

const success = HttpApiSchema.NoContent
const Api = HttpApi.make("unsaid").add(HttpApiGroup.make("clubs").add(
  HttpApiEndpoint.get("read", "/clubs/:clubId", { success }),
  HttpApiEndpoint.post("write", "/clubs/:clubId", { success })
).middleware(ClubMember))

const RoutesLayer = HttpApiBuilder.layer(Api).pipe(
  Layer.provide(HttpApiBuilder.group(
    Api,
    "clubs",
    (handlers) => handlers.handleAll({ read: () => Effect.void, write: () => Effect.void })
  )),
  Layer.provide(AuthenticationLayer)
)

const ServeLayer = HttpRouter.serve(RoutesLayer, { disableLogger: true, disableListenLog: true }).pipe(
  Layer.provideMerge(NodeHttpServer.layerTest),
  Layer.provide(KeyStore.layer),
  Layer.provideMerge(SessionStore.layer),
  Layer.provide(WriteCounters.layerNoDeps),
  Layer.provide([RateLimiter.layerMemory, ClientAddress.layer]),
  Layer.provideMerge(PostgresLayer),
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({})))
)

layer(ServeLayer)("a club route that does not say which roles may call it", (it) => {
  it.effect.each(Role.literals)(
    "is read by a member who is %s, and writes for the administration alone",
    (role) =>
      Effect.gen(function*() {
        const club = yield* makeClub()
        const token = yield* tokenAs(club, role)
        const path = `/clubs/${club.organization_id}`
        const answers = [yield* send("GET", path, { token }), yield* send("POST", path, { token })]
        const writes = role === "owner" || role === "admin"
        assert.deepStrictEqual(answers.map(({ status }) => status), [204, writes ? 204 : 403])
      })
  )
})
