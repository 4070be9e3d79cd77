import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../../../src/Api.ts"
import { routesOf } from "../../../src/platform/http/server/AllowedMethods.ts"
import { AppLayer, appLayer, outcome, send } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { SpansLayer, traced } from "../../harness/Statements.ts"
import {
  access,
  admins,
  bothSides,
  changePassword,
  confirm,
  currentSession,
  exchange,
  forgot,
  grantedBy,
  newAddress,
  resend,
  reset,
  signedIn,
  signIn,
  signUp
} from "./People.ts"

const routes = routesOf(Api)
  .map(({ method, path }) => ({ method, path: path.replace(":id", "0190f3a0-0000-7000-8000-000000000000") }))
  .filter(({ path }) => path.startsWith("/v1/auth"))

layer(AppLayer)("Every answer about credentials", (it) => {
  it.effect("that is a failure is not to be stored", () =>
    Effect.gen(function*() {
      assert.lengthOf(routes, 26)
      for (const { method, path } of routes) {
        const bodies = method === "POST" ? [undefined, "{", "{}", `"${"x".repeat(2_000_000)}"`] : [undefined]
        for (const body of bodies) {
          const answer = yield* send(method, path, { body })
          assert.isAtLeast(answer.status, 400)
          assert.strictEqual(answer.headers["cache-control"], "no-store", `${method} ${path}: ${answer.status}`)
        }
      }
    }))

  for (const [person, makeSide] of bothSides) {
    it.effect(`that is a success to ${person} is not to be stored`, () =>
      Effect.gen(function*() {
        const mailbox = yield* Mailbox
        const side = yield* makeSide
        const email = yield* newAddress
        const answers = [
          yield* signUp(side, { email }),
          yield* resend(side, email),
          yield* confirm(side, yield* mailbox.secret(email)),
          yield* access(side, email),
          yield* exchange(side, yield* mailbox.secret(email)),
          yield* forgot(side, email),
          yield* reset(side, yield* mailbox.secret(email), "a better one")
        ]
        const granted = yield* signIn(side, email, "a better one")
        const token = grantedBy(granted)
        const more = [
          yield* changePassword(side, token, "a better one", "the best one"),
          yield* currentSession(token),
          yield* send("GET", "/v1/auth/sessions", { token }),
          yield* send("DELETE", "/v1/auth/sessions", { token }),
          yield* send("DELETE", "/v1/auth/session", { token })
        ]
        for (const { headers, status } of [...answers, granted, ...more]) {
          assert.isBelow(status, 300)
          assert.strictEqual(headers["cache-control"], "no-store")
        }
      }))
  }
})

layer(appLayer({ RATE_LIMIT_CREDENTIALS: "3" }))(
  "Too many credentials from one address",
  (it) => {
    it.effect("are refused, all routes counted together, and reading or ending a session is not counted", () =>
      Effect.gen(function*() {
        const email = yield* newAddress
        for (const ask of [resend, forgot, access]) assert.strictEqual((yield* ask(admins, email)).status, 202)
        const refused = yield* signIn(admins, email)
        assert.deepStrictEqual(outcome(refused), [429, "rate_limited"])
        assert.strictEqual(refused.headers["retry-after"], "60")
        assert.strictEqual(refused.headers["cache-control"], "no-store")
        assert.deepStrictEqual(outcome(yield* send("GET", "/v1/auth/session")), [401, "unauthenticated"])
        assert.deepStrictEqual(outcome(yield* send("DELETE", "/v1/auth/session")), [401, "unauthenticated"])
      }))
  }
)

const logged: Array<string> = []
const WatchedLayer = AppLayer.pipe(
  Layer.provideMerge(SpansLayer),
  Layer.provideMerge(Logger.layer([Logger.make((line) => void logged.push(Logger.formatJson.log(line)))]))
)

layer(WatchedLayer)("Logs and traces", (it) => {
  for (const [person, makeSide] of bothSides) {
    it.effect(`of all that ${person} does hold no password, hash, token, code or address`, () =>
      Effect.gen(function*() {
        const mailbox = yield* Mailbox
        const side = yield* makeSide
        logged.length = 0
        const [secrets, spans] = yield* traced(Effect.gen(function*() {
          const { email, password, token } = yield* signedIn(side)
          yield* signIn(side, email, "a wrong one")
          yield* access(side, email)
          const code = yield* mailbox.secret(email)
          const granted = grantedBy(yield* exchange(side, code))
          yield* changePassword(side, token, password, "a better one")
          yield* forgot(side, email)
          const link = yield* mailbox.secret(email)
          yield* reset(side, link, "the best one")
          return [email, password, token, code, granted, link, "a wrong one", "a better one", "the best one", "$argon2"]
        }))
        const seen = [
          ...logged,
          ...spans.map(({ attributes, events, name }) => JSON.stringify([name, [...attributes], events], withoutBigInt))
        ].join("\n")
        assert.include(seen, "/sign-in")
        for (const secret of secrets) assert.notInclude(seen, secret)
      }))
  }

  it.effect("of a fault hold neither what was entered nor its hash", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const email = yield* newAddress
      yield* sql`alter table sign_ups add constraint never check (name <> 'Never')`
      logged.length = 0
      const answer = yield* signUp(admins, { email, name: "Never" })
      assert.deepStrictEqual(outcome(answer), [500, "internal_error"])
      const seen = logged.join("\n")
      assert.include(seen, "violates check constraint")
      for (const secret of [email, "correct horse", "$argon2"]) {
        assert.notInclude(seen, secret)
        assert.notInclude(answer.text, secret)
      }
    }))
})

const withoutBigInt = (_: string, value: unknown) => typeof value === "bigint" ? String(value) : value
