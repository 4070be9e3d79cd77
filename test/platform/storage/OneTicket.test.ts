import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Redacted } from "effect"
import { mkdirSync, readdirSync, statSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { at } from "../../harness/App.ts"
import { eventually } from "../../harness/Eventually.ts"
import { freshDatabaseUrl } from "../../harness/Postgres.ts"
import { isRefusal } from "../../harness/RawHttp.ts"
import { startUpload } from "../../harness/SlowUpload.ts"
import { startSmtp } from "../../harness/Smtp.ts"
import { post, startApi } from "../../harness/Turma.ts"
import { foundAt, mebibyte } from "./Club.ts"

// Takes long: two processes share a folder, and the test kills one of them.

const size_bytes = 20 * mebibyte

/** Two processes on one folder, a club, and a ticket for a file of 20 MiB. */
const withTicket = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const smtp = yield* startSmtp()
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-ticket-" })
  const env = {
    DATA_DIR: folder,
    DATABASE_URL: Redacted.value(yield* freshDatabaseUrl),
    APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    SMTP_URL: Redacted.value(smtp.url),
    RATE_LIMIT_WRITES: "1000"
  }
  const [one, two] = yield* Effect.all([startApi({ env }), startApi({ env })], { concurrency: 2 })
  const { token, url } = yield* foundAt(one.url, smtp.received)
  const announced = { file_name: "a.zip", mime: "application/zip", size_bytes }
  const { json } = yield* post(`${url}/media`, announced, token)
  const { pathname } = new URL(String(at(json, "data", "upload", "url")))
  const files = join(folder, "files")
  mkdirSync(files)
  /** The sizes of all files on the disk. A file with two names counts once. */
  const sizes = () => {
    const found = readdirSync(files, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false }))
    return [...new Map(found.map((file) => [file?.ino, file?.size ?? 0])).values()]
  }
  const send = ({ port }: { readonly port: number }) =>
    startUpload(port, pathname, { mime: "application/zip", size_bytes })
  return { env, one, two, files, sizes, send }
})

const sum = (all: ReadonlyArray<number>) => all.reduce((whole, one) => whole + one, 0)

layer(NodeServices.layer, { excludeTestServices: true })("One ticket of 20 MiB", (it) => {
  it.effect(
    "brings 20 MiB to the disk, however many send it to however many processes at once",
    () =>
      Effect.gen(function*() {
        const { one, send, sizes, two } = yield* withTicket
        const most = 19 * mebibyte
        const uploads = yield* Effect.forEach(Array.from({ length: 12 }), (_, n) => send(n % 2 === 0 ? one : two))
        yield* Effect.forEach(uploads, ({ write }) => write(Buffer.alloc(most)), { discard: true })
        // Each upload is refused, or its sent bytes are on the disk.
        yield* eventually(
          Effect.sync(() => sizes().filter((size) => size === most).length),
          (whole) => whole + uploads.filter(({ isAnswered }) => isAnswered()).length === uploads.length
        )
        assert.strictEqual(sum(sizes()), most)
        const first = uploads.find(({ isAnswered }) => !isAnswered())
        for (const upload of uploads) {
          if (upload !== first) isRefusal(yield* upload.answer, 409, "upload_in_progress")
        }
        yield* first?.write(Buffer.alloc(mebibyte)) ?? Effect.void
        assert.strictEqual((yield* first?.answer ?? Effect.die(new Error("All were refused"))).status, 204)
        assert.deepStrictEqual(sizes(), [size_bytes])
      })
  )

  it.effect(
    "is not lost with a process that is killed: another takes it over, and what had come goes",
    () =>
      Effect.gen(function*() {
        const { env, files, one, send, sizes, two } = yield* withTicket
        const killed = yield* send(one)
        yield* killed.write(Buffer.alloc(10 * mebibyte))
        yield* eventually(Effect.sync(sizes), (found) => found[0] === 10 * mebibyte)
        const early = yield* send(two)
        isRefusal(yield* early.answer, 409, "upload_in_progress")
        yield* one.end("SIGKILL")
        assert.deepStrictEqual(sizes(), [10 * mebibyte])
        // Sets the files back by half a minute.
        const then = Date.now() / 1000 - 30
        for (const name of readdirSync(join(files, "parts"))) utimesSync(join(files, "parts", name), then, then)
        const second = yield* send(two)
        yield* second.write(Buffer.alloc(size_bytes))
        assert.strictEqual((yield* second.answer).status, 204)
        // A process sweeps when it starts.
        yield* startApi({ env })
        yield* eventually(Effect.sync(sizes), (found) => found.length === 1)
        assert.deepStrictEqual(sizes(), [size_bytes])
      })
  )
})
