import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, References, Tracer } from "effect"
import { TestClock } from "effect/testing"
import { MediaCleanup } from "../../../../src/learning/media/MediaCleanup.ts"
import { appLayer, at, foundClub, outcome, send } from "../../../harness/App.ts"
import { refusal } from "../../../harness/S3Answers.ts"
import { account } from "../../../harness/S3Signatures.ts"
import { announced, begin, complete, exe, placeOf, png } from "../../../learning/media/Files.ts"
import { S3 } from "../Drivers.ts"

const said: Array<string> = []

/** Records everything that a collector would get. */
const WatchedLayer = Layer.merge(
  Logger.layer([Logger.map(Logger.formatJson, (line) => void said.push(line))]),
  Layer.merge(
    Layer.succeed(References.MinimumLogLevel, "Trace"),
    Layer.succeed(
      Tracer.Tracer,
      Tracer.make({
        span: (options) => {
          said.push(options.name)
          const span = new Tracer.NativeSpan(options)
          const attribute = span.attribute.bind(span)
          return Object.assign(span, {
            attribute: (key: string, value: unknown) => {
              said.push(`${key}=${String(value)}`)
              attribute(key, value)
            }
          })
        }
      })
    )
  )
)

const ServiceLayer = Layer
  .unwrap(Effect.map(S3, ({ url }) => MediaCleanup.layer.pipe(Layer.provideMerge(appLayer({ STORAGE_URL: url })))))
  .pipe(Layer.provideMerge(S3.layer), Layer.provide(WatchedLayer))

/** Sends a file as the answer to `begin` demands. */
const sent = (begun: { readonly json: unknown }, body: Buffer) =>
  Effect.promise(async () => {
    const upload = Object(at(begun.json, "data", "upload"))
    const { status } = await fetch(upload.url, {
      method: upload.method,
      headers: upload.headers,
      body: new Uint8Array(body)
    })
    return status
  })

const idOf = (begun: { readonly json: unknown }) => String(at(begun.json, "data", "media", "id"))

layer(ServiceLayer)("A service with a bucket", (it) => {
  it.effect("sends clients to the bucket, and confirms what came by what the bucket says", () =>
    Effect.gen(function*() {
      const s3 = yield* S3
      const club = yield* foundClub()
      const begun = yield* begin(club, announced(png))
      assert.deepStrictEqual(outcome(yield* complete(club, begun)), [409, "upload_not_found"])
      assert.strictEqual(yield* sent(begun, png), 200)
      const completed = yield* complete(club, begun)
      assert.deepStrictEqual([completed.status, at(completed.json, "data", "status")], [200, "ready"])
      assert.strictEqual((yield* complete(club, begun)).status, 200)
      assert.deepStrictEqual(s3.list(), [`kept/${yield* placeOf(idOf(begun))}`])
      const found = yield* send("GET", `${club.path}/media/${idOf(begun)}/download?inline=true`, club)
      const url = String(at(found.json, "data", "url"))
      const [type, body] = yield* Effect.promise(async () => {
        const response = await fetch(url)
        return [response.headers.get("content-disposition"), Buffer.from(await response.arrayBuffer())] as const
      })
      assert.match(type ?? "", /^inline; filename="photo\.png"/)
      assert.deepStrictEqual(body, png)
      yield* send("DELETE", `${club.path}/media/${idOf(begun)}`, club)
      yield* Effect.flatMap(MediaCleanup, ({ deleteFiles }) => deleteFiles)
      assert.deepStrictEqual(s3.list(), [])
    }))

  it.effect("keeps nothing of a file that is another one than was announced", () =>
    Effect.gen(function*() {
      const s3 = yield* S3
      const club = yield* foundClub()
      const begun = yield* begin(club, announced(exe))
      assert.strictEqual(yield* sent(begun, exe), 200)
      assert.deepStrictEqual(outcome(yield* complete(club, begun)), [422, "upload_mismatch"])
      assert.deepStrictEqual(outcome(yield* complete(club, begun)), [422, "upload_mismatch"])
      assert.deepStrictEqual(s3.list(), [])
    }))

  it.effect("keeps nothing of an upload that nobody confirms", () =>
    Effect.gen(function*() {
      const s3 = yield* S3
      const club = yield* foundClub()
      const begun = yield* begin(club, announced(png))
      assert.strictEqual(yield* sent(begun, png), 200)
      yield* TestClock.adjust("24 hours")
      const { deleteFiles, expire } = yield* MediaCleanup
      yield* Effect.andThen(expire, deleteFiles)
      assert.deepStrictEqual(s3.list(), [])
    }))

  it.effect("has no routes for files of its own", () =>
    Effect.gen(function*() {
      for (const [method, path] of [["PUT", "/storage/uploads/x"], ["GET", "/storage/files/x"]] as const) {
        assert.deepStrictEqual(outcome(yield* send(method, path)), [404, "not_found"])
      }
    }))

  it.effect("says nothing of its key or of a signed address, whatever the bucket answers", () =>
    Effect.gen(function*() {
      const s3 = yield* S3
      const club = yield* foundClub()
      const begun = yield* begin(club, announced(png))
      yield* sent(begun, png)
      s3.before(() => refusal(403, "AccessDenied"))
      const refused = yield* complete(club, begun)
      assert.deepStrictEqual(outcome(refused), [500, "internal_error"])
      assert.notInclude(refused.text, "S3")
      s3.before(() => undefined)
      assert.strictEqual((yield* complete(club, begun)).status, 200)
      const found = yield* send("GET", `${club.path}/media/${idOf(begun)}/download`, club)
      const everything = said.join("\n")
      assert.include(everything, "S3 answered HEAD with 403 without a code")
      assert.include(everything, "S3Storage.settle")
      assert.include(everything, `server.port=${s3.port}`)
      const addresses = [at(begun.json, "data", "upload", "url"), at(found.json, "data", "url")].map(String)
      const signatures = addresses.map((url) => new URL(url).searchParams.get("X-Amz-Signature") ?? url)
      for (const secret of [...signatures, account.secretAccessKey, encodeURIComponent(account.secretAccessKey)]) {
        assert.notInclude(everything, secret)
      }
      assert.notMatch(everything, /Signature=|X-Amz-Signature|AWS4-HMAC/)
    }))
})
