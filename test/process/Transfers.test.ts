import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Redacted, Schedule } from "effect"
import { readdirSync, statSync } from "node:fs"
import { get, type IncomingMessage } from "node:http"
import { join } from "node:path"
import { at } from "../harness/App.ts"
import { eventually } from "../harness/Eventually.ts"
import { isRefused } from "../harness/HalfRequest.ts"
import { freshDatabaseUrl } from "../harness/Postgres.ts"
import { isRefusal } from "../harness/RawHttp.ts"
import { startUpload } from "../harness/SlowUpload.ts"
import { startSmtp } from "../harness/Smtp.ts"
import { ask, post, startApi } from "../harness/Turma.ts"
import { archive } from "../learning/media/Files.ts"
import { foundAt, mebibyte } from "../platform/storage/Club.ts"

// Takes long: slow clients are waited for in real time.

const mime = "application/zip"
const start = archive("a.txt", "hello")

/** More than the sockets of both sides can hold, so the sender waits for the reader. */
const size_bytes = 32 * mebibyte
const file = Buffer.concat([start, Buffer.alloc(size_bytes - start.length, "turma")])
const half = size_bytes / 2

/** Reads the first bytes, and then pauses until the test continues. */
const startDownload = Effect.fnUntraced(function*(url: string) {
  const response = yield* Effect.acquireRelease(
    Effect.callback<IncomingMessage>((resume) => {
      const sent = get(url, { agent: false }, (response) => resume(Effect.succeed(response)))
      sent.on("error", (error) => resume(Effect.die(error)))
    }),
    (response) => Effect.sync(() => void response.destroy())
  )
  const chunks: Array<Buffer> = []
  const closed = new Promise<void>((resolve) => void response.once("close", resolve))
  // The number of received bytes shows if the connection broke.
  response.on("error", () => {})
  yield* Effect.callback<void>((resume) => {
    response.on("data", (chunk: Buffer) => {
      if (chunks.length === 0) {
        response.pause()
        resume(Effect.void)
      }
      chunks.push(chunk)
    })
  })
  const received = () => Buffer.concat(chunks)
  return {
    received,
    /** All bytes until the connection closes. */
    finish: Effect.promise(async () => {
      response.resume()
      await closed
      return received()
    })
  }
})

/** A service that has half of an upload, and has sent the start of a download. */
const transferring = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const smtp = yield* startSmtp()
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-transfers-" })
  const turma = yield* startApi({
    env: {
      DATA_DIR: folder,
      DATABASE_URL: Redacted.value(yield* freshDatabaseUrl),
      APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
      SMTP_URL: Redacted.value(smtp.url)
    }
  })
  const { token, url } = yield* foundAt(turma.url, smtp.received)
  const announce = Effect.gen(function*() {
    const { json } = yield* post(`${url}/media`, { file_name: "a.zip", mime, size_bytes }, token)
    const { pathname } = new URL(String(at(json, "data", "upload", "url")))
    const upload = yield* startUpload(turma.port, pathname, { mime, size_bytes })
    return { upload, media: `${url}/media/${String(at(json, "data", "media", "id"))}` }
  })

  const whole = yield* announce
  yield* whole.upload.write(file)
  assert.strictEqual((yield* whole.upload.answer).status, 204)
  assert.strictEqual((yield* post(`${whole.media}/complete`, "", token)).status, 200)
  const found = yield* ask(`${whole.media}/download`, { headers: { authorization: `Bearer ${token}` } })
  const download = yield* startDownload(String(at(found.json, "data", "url")))

  const { upload } = yield* announce
  yield* upload.write(file.subarray(0, half))
  /** The sizes of the files in this folder. A file that is still arriving has two names there. */
  const sizes = (name: "parts" | "uploads") =>
    readdirSync(join(folder, "files", name)).map((entry) => statSync(join(folder, "files", name, entry)).size)
  yield* eventually(Effect.sync(() => sizes("parts")), (found) => found.length === 2 && found[0] === half)
  return { turma, download, upload, sizes }
})

layer(NodeServices.layer, { concurrent: true, excludeTestServices: true })(
  "A process that is told to end while files come and go",
  (it) => {
    it.effect("takes in and hands out every byte of them", () =>
      Effect.gen(function*() {
        const { download, sizes, turma, upload } = yield* transferring
        yield* turma.kill("SIGTERM")
        yield* Effect.repeat(isRefused(turma.port), { until: (refused) => refused, schedule: Schedule.spaced(20) })
        assert.isFalse(upload.isAnswered())
        yield* upload.write(file.subarray(half))
        assert.strictEqual((yield* upload.answer).status, 204)
        assert.deepStrictEqual([sizes("parts"), sizes("uploads")], [[], [size_bytes]])
        assert.isBelow(download.received().length, half)
        assert.isTrue(file.equals(yield* download.finish))
        const { code, stderr } = yield* turma.ended
        assert.deepStrictEqual([code, stderr], [0, ""])
      }))

    it.effect(
      "waits for no client that sends or reads nothing more, and leaves nothing of what was coming",
      () =>
        Effect.gen(function*() {
          const { download, sizes, turma, upload } = yield* transferring
          const { code, stderr } = yield* turma.end()
          assert.deepStrictEqual([code, stderr], [0, ""])
          isRefusal(yield* upload.answer, 503, "temporarily_unavailable")
          assert.deepStrictEqual([sizes("parts"), sizes("uploads")], [[], []])
          assert.isBelow((yield* download.finish).length, size_bytes)
        })
    )
  }
)
