import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { eventually } from "../harness/Eventually.ts"
import { freshDatabaseUrl } from "../harness/Postgres.ts"
import { post, startApi } from "../harness/Turma.ts"
import { startBadMailServer } from "./BadMailServer.ts"

const TestLayer = Layer.merge(NodeServices.layer, SecureRandom.layerWebCrypto)

layer(TestLayer, { concurrent: true, excludeTestServices: true })(
  "A mail server that drops what it was given, is busy, or says nothing",
  (it) => {
    it.effect("gets every mail in the end, copies of one under its one id, and requests wait for none of it", () =>
      Effect.gen(function*() {
        const mail = yield* startBadMailServer
        const api = yield* startApi({
          env: {
            DATABASE_URL: Redacted.value(yield* freshDatabaseUrl),
            APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
            SMTP_URL: mail.url
          }
        })
        const signUp = Effect.fnUntraced(function*(name: string) {
          const email = `${name}@people.example`
          const { status } = yield* post(`${api.url}/v1/auth/admin/sign-up`, { name, email, password: "violao e voz" })
          assert.strictEqual(status, 202)
        })
        const copiesOf = (name: string) => mail.sent.filter(({ recipient }) => recipient === `${name}@people.example`)
        const said = (text: string) =>
          eventually(Effect.delay(Effect.sync(() => api.said.stdout), "100 millis"), (all) => all.includes(text))

        yield* mail.become("drop")
        yield* signUp("dropped")
        yield* said("\"attempts\":1")
        const dropped = copiesOf("dropped").length
        yield* mail.become("busy")
        yield* signUp("busy")
        yield* said("EENVELOPE 451")
        yield* mail.become("silent")
        yield* signUp("unheard")
        yield* eventually(Effect.delay(Effect.sync(mail.greeted), "100 millis"), (count) => count > 0)
        yield* mail.become("accept")
        const names = ["dropped", "busy", "unheard"]
        const accepted = (name: string) => copiesOf(name).filter(({ mood }) => mood === "accept").length
        yield* eventually(
          Effect.delay(Effect.sync(() => names.map(accepted)), "200 millis"),
          (counts) => counts.every((count) => count > 0)
        )
        assert.deepStrictEqual(names.map(accepted), [1, 1, 1])
        // If a connection ends without an answer, the attempt sends the mail again at most once, on another connection.
        assert.isAtLeast(dropped, 1)
        assert.isAtMost(dropped, 2)
        for (const name of names) assert.strictEqual(new Set(copiesOf(name).map(({ messageId }) => messageId)).size, 1)
        assert.strictEqual((yield* api.end()).code, 0)
      }))
  }
)
