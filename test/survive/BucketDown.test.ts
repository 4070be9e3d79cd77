import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { at } from "../harness/App.ts"
import { eventually } from "../harness/Eventually.ts"
import { freshDatabaseUrl } from "../harness/Postgres.ts"
import { type Instead, startS3 } from "../harness/S3.ts"
import { refusal } from "../harness/S3Answers.ts"
import { startSmtp } from "../harness/Smtp.ts"
import { ask, post, startApi } from "../harness/Turma.ts"
import { archive } from "../learning/media/Files.ts"
import { foundClub } from "./Club.ts"

// Takes long: the bucket is away for a minute of retries.

const TestLayer = Layer.merge(NodeServices.layer, SecureRandom.layerWebCrypto)

const content = archive("a.txt", "hello")

const errorOf = (json: unknown) => at(json, "error", "code")

layer(TestLayer, { concurrent: true, excludeTestServices: true })(
  "While a bucket is down",
  (it) => {
    it.effect("what needs it is 503, all else goes on, and nothing is lost when it is back, however it is down", () =>
      Effect.gen(function*() {
        const smtp = yield* startSmtp()
        const s3 = yield* startS3
        const api = yield* startApi({
          env: {
            DATABASE_URL: Redacted.value(yield* freshDatabaseUrl),
            APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
            SMTP_URL: Redacted.value(smtp.url),
            STORAGE_URL: s3.url
          }
        })
        const club = yield* foundClub(api.url, smtp.received)
        const authorization = { authorization: `Bearer ${club.token}` }
        const announced = (file_name: string) =>
          Effect.map(
            post(`${club.url}/media`, { file_name, mime: "application/zip", size_bytes: content.length }, club.token),
            ({ json, status, text }) => {
              assert.strictEqual(status, 201, text)
              const upload = Object(at(json, "data", "upload"))
              return { upload, url: `${club.url}/media/${String(at(json, "data", "media", "id"))}` }
            }
          )
        const send = ({ upload }: Effect.Success<ReturnType<typeof announced>>) =>
          Effect.map(
            ask(upload.url, { method: "PUT", headers: upload.headers, body: new Uint8Array(content) }),
            ({ status }) => status
          )
        const complete = ({ url }: { readonly url: string }) => post(`${url}/complete`, "", club.token)
        const contentAt = Effect.fnUntraced(function*({ url }: { readonly url: string }) {
          const { json } = yield* ask(`${url}/download`, { headers: authorization })
          return (yield* ask(String(at(json, "data", "url")))).text
        })

        const isDown = Effect.fnUntraced(function*(instead: Instead) {
          const [kept, removed, sent] = [
            yield* announced("kept.zip"),
            yield* announced("gone.zip"),
            yield* announced("b.zip")
          ]
          for (const file of [kept, removed]) {
            assert.strictEqual(yield* send(file), 200)
            assert.strictEqual(at((yield* complete(file)).json, "data", "status"), "ready")
          }
          assert.strictEqual(yield* send(sent), 200)
          const before = s3.list().length

          s3.before(() => instead)
          const refused = yield* complete(sent)
          assert.deepStrictEqual([refused.status, errorOf(refused.json)], [503, "temporarily_unavailable"])
          const later = yield* announced("later.zip")
          assert.strictEqual((yield* ask(removed.url, { method: "DELETE", headers: authorization })).status, 204)
          assert.deepStrictEqual([yield* club.add, yield* club.read], [201, 200])
          assert.strictEqual((yield* ask(`${api.url}/v1/health/ready`)).status, 200)

          // If the bucket refuses for good, the answer does not ask the client to come again.
          s3.before(() => refusal(403, "AccessDenied"))
          const denied = yield* complete(sent)
          assert.deepStrictEqual([denied.status, errorOf(denied.json)], [500, "internal_error"])

          s3.before(() => undefined)
          for (const file of [sent, later]) {
            if (file === later) assert.strictEqual(yield* send(later), 200)
            assert.strictEqual(at((yield* complete(file)).json, "data", "status"), "ready")
            assert.strictEqual(yield* contentAt(file), Buffer.from(content).toString())
          }
          assert.strictEqual(yield* contentAt(kept), Buffer.from(content).toString())
          // One file was added and one removed.
          yield* eventually(
            Effect.delay(Effect.sync(() => s3.list().length), "100 millis"),
            (count) => count === before
          )
        })
        yield* Effect.forEach([refusal(503, "SlowDown"), "reset"] satisfies ReadonlyArray<Instead>, isDown)
        assert.strictEqual((yield* api.end()).code, 0)
      }))
  }
)
