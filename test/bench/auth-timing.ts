// npm run bench:auth [-- --pairs 100]: shows if the time of an answer reveals that an address has an account, or that a
// key existed. The aim is a ratio within 5 % of 1, on a machine that does nothing else.
import { NodeHttpServer, NodeRuntime, NodeServices } from "@effect/platform-node"
import { ConfigProvider, Console, DateTime, Effect, Layer, Logger, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { HttpClient, HttpClientRequest, HttpRouter } from "effect/http"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { RoutesLayer, ServicesLayer } from "../../src/App.ts"
import { makeKeyToken } from "../../src/identity/keys/KeyToken.ts"
import { hashToken } from "../../src/identity/tokens/Token.ts"
import { Passwords } from "../../src/membership/accounts/Passwords.ts"
import { texts } from "../../src/platform/sql/Arrays.ts"
import { connectionsLayer } from "../../src/platform/sql/Connections.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { makeClub, makeMember, makeUser } from "../harness/Makers.ts"
import { timedPairs } from "../harness/Pairs.ts"
import { newDatabase } from "./newDatabase.ts"
import { sized } from "./sized.ts"

const warmUp = sized(10, 1)

const DatabaseLayer = Layer.unwrap(Effect.gen(function*() {
  const { database: url } = yield* newDatabase()
  return connectionsLayer({ url, connections: 8 })
}))

const AppLayer = HttpRouter.serve(RoutesLayer, { disableLogger: true, disableListenLog: true }).pipe(
  Layer.provideMerge(NodeHttpServer.layerTest),
  Layer.provideMerge(ServicesLayer),
  Layer.provideMerge(Layer.effectDiscard(migrate()).pipe(Layer.provideMerge(DatabaseLayer))),
  Layer.provideMerge(NodeServices.layer),
  Layer.provide(SecureRandom.layerWebCrypto),
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({
    APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    RATE_LIMIT_CREDENTIALS: "1000000"
  })))
)

const post = Effect.fnUntraced(function*(path: string, body: unknown, expected: number) {
  const request = HttpClientRequest.post(`/v1/auth/admin${path}`).pipe(HttpClientRequest.bodyJsonUnsafe(body))
  const response = yield* HttpClient.execute(request)
  yield* response.text
  if (response.status !== expected) return yield* Effect.die(`${path} answered ${response.status}`)
})

const asked = {
  "sign-in, wrong password": (email: string) => post("/sign-in", { email, password: "a wrong one" }, 401),
  "sign-up": (email: string) => post("/sign-up", { name: "Ana", email, password: "correct horse" }, 202),
  "confirm/resend": (email: string) => post("/confirm/resend", { email }, 202),
  "password/forgot": (email: string) => post("/password/forgot", { email }, 202),
  "access": (email: string) => post("/access", { email }, 202)
}

/**
 * Accounts that share a password. Each route asks about an account once, so no account reaches its limit of failures.
 */
const makeAccounts = Effect.fn("makeAccounts")(function*(count: number) {
  const passwords = yield* Passwords
  const password_hash = yield* passwords.hash(Redacted.make("correct horse"))
  return yield* Effect.forEach(Array.from({ length: count }), () => makeUser({ password_hash }))
}, Effect.provide(Passwords.layer))

const median = (sorted: ReadonlyArray<number>) => sorted[Math.floor(sorted.length / 2)] ?? 0

/** Times the refusal of a revoked key against the refusal of an unknown key. */
const askWithKeys = Effect.fnUntraced(function*(pairs: number) {
  const sql = yield* SqlClient.SqlClient
  const club = yield* makeClub()
  const user = yield* makeMember(club, "owner")
  const now = yield* Effect.map(DateTime.now, DateTime.toDateUtc)
  const tokens = yield* Effect.replicateEffect(makeKeyToken, warmUp + pairs)
  for (const { prefix, token } of tokens) {
    const key = { club_id: club.id, id: randomUUID(), prefix, name: "Key", role: "viewer", user_id: user.id }
    yield* sql`
      insert into club_keys ${sql.insert({ ...key, allowed_networks: texts([]), created_at: now, revoked_at: now })}`
    yield* sql`
      insert into club_key_tokens ${sql.insert({ club_id: club.id, key_id: key.id, token_hash: hashToken(token) })}`
  }
  const ask = Effect.fnUntraced(function*(token: Redacted.Redacted) {
    const response = yield* HttpClient
      .execute(HttpClientRequest.get("/v1/key").pipe(HttpClientRequest.bearerToken(token)))
    yield* response.text
    if (response.status !== 401) return yield* Effect.die(`A key that does not work was answered ${response.status}`)
  })
  const unknown = yield* Effect.replicateEffect(makeKeyToken, warmUp + pairs)
  const none = Redacted.make("")
  return yield* timedPairs(
    pairs,
    (pair) => ask(tokens[pair]?.token ?? none),
    (pair) => ask(unknown[pair]?.token ?? none),
    warmUp
  )
})

const row = (
  name: string,
  { one, other }: { readonly one: ReadonlyArray<number>; readonly other: ReadonlyArray<number> }
) => {
  const [known, unknown] = [median(one), median(other)]
  return Console.log(`| ${name} | ${known.toFixed(2)} | ${unknown.toFixed(2)} | ${(known / unknown).toFixed(3)} |`)
}

const measure = Effect.fn("measure")(function*(pairs: number) {
  const accounts = yield* makeAccounts(warmUp + pairs)
  yield* Console
    .log(`${pairs} pairs of requests by turns: an address with an account, and one without. Medians in ms.\n`)
  yield* Console.log("| request | known | unknown | ratio |\n|---|---|---|---|")
  for (const [name, ask] of Object.entries(asked)) {
    const times = yield* timedPairs(
      pairs,
      (pair) => ask(accounts[pair]?.email ?? ""),
      (pair) => ask(`${name.replaceAll(/\W/g, "")}${pair}@nobody.example`),
      warmUp
    )
    yield* row(name, times)
  }
  yield* row("a key of a club, revoked", yield* askWithKeys(pairs))
}, Effect.provide(AppLayer))

Command.make("bench:auth", {
  pairs: Flag.Int("pairs").pipe(Flag.withDefault(sized(100, 1)), Flag.withDescription("Pairs of requests per route"))
}, ({ pairs }) => measure(pairs)).pipe(
  Command.run({ version: "1" }),
  Effect.scoped,
  Effect.provide([NodeServices.layer, SecureRandom.layerWebCrypto, Logger.layer([])]),
  NodeRuntime.runMain
)
