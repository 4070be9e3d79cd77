import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Redacted } from "effect"
import { readdirSync, readFileSync, statSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { partSize } from "../../../src/platform/storage/UploadInParts.ts"
import { at, listAt } from "../../harness/App.ts"
import { eventually } from "../../harness/Eventually.ts"
import { freshDatabaseUrl } from "../../harness/Postgres.ts"
import { isRefusal } from "../../harness/RawHttp.ts"
import { startUpload } from "../../harness/SlowUpload.ts"
import { startSmtp } from "../../harness/Smtp.ts"
import { post, startApi } from "../../harness/Turma.ts"
import { archive } from "../../learning/media/Files.ts"
import { foundAt } from "./Club.ts"

// Takes long: two processes share a folder, and the test kills one of them.

const file = Buffer.concat([
  archive("a.txt", "hello"),
  Buffer.alloc(partSize, "a"),
  Buffer.alloc(partSize, "b"),
  Buffer.from("end")
])

layer(NodeServices.layer, { excludeTestServices: true })("An upload in three parts", (it) => {
  it.effect("goes on at another process, with all that came whole, when the first is killed in the middle of a part", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const smtp = yield* startSmtp()
      const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-parts-" })
      const env = {
        DATA_DIR: folder,
        DATABASE_URL: Redacted.value(yield* freshDatabaseUrl),
        APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
        SMTP_URL: Redacted.value(smtp.url),
        RATE_LIMIT_WRITES: "1000"
      }
      const [one, two] = yield* Effect.all([startApi({ env }), startApi({ env })], { concurrency: 2 })
      const { token, url } = yield* foundAt(two.url, smtp.received)
      const announced = { file_name: "a.zip", mime: "application/zip", size_bytes: file.length }
      const begun = yield* post(`${url}/media`, announced, token)
      const media = `${url}/media/${String(at(begun.json, "data", "media", "id"))}`
      const resumed = Effect.map(post(`${media}/upload`, "", token), ({ json }) => ({
        received: at(json, "data", "received"),
        missing: listAt(json, "data", "missing").map((part) => Object(part))
      }))
      const { missing } = yield* resumed
      const start = (number: number, { port }: { readonly port: number }) => {
        const { offset, size_bytes, url } = missing[number - 1]
        const body = file.subarray(offset, offset + size_bytes)
        return Effect.map(startUpload(port, new URL(url).pathname, { size_bytes }), (upload) => ({ ...upload, body }))
      }
      const send = Effect.fnUntraced(function*(number: number, to: { readonly port: number }) {
        const upload = yield* start(number, to)
        yield* upload.write(upload.body)
        return yield* upload.answer
      })

      assert.strictEqual((yield* send(2, one)).status, 204)
      const killed = yield* start(1, one)
      yield* killed.write(killed.body.subarray(9))
      const parts = join(folder, "files/parts")
      yield* eventually(
        Effect.sync(() =>
          readdirSync(parts).map((name) => statSync(join(parts, name), { throwIfNoEntry: false })?.size)
        ),
        (sizes) => sizes.includes(killed.body.length - 9)
      )
      yield* one.end("SIGKILL")

      assert.deepStrictEqual((yield* resumed).received, [2])
      isRefusal(yield* send(1, two), 409, "upload_in_progress")
      // Sets the files back by half a minute.
      const then = Date.now() / 1000 - 30
      for (const name of readdirSync(parts)) utimesSync(join(parts, name), then, then)
      assert.strictEqual((yield* send(1, two)).status, 204)
      assert.strictEqual((yield* send(3, two)).status, 204)
      const completed = yield* post(`${media}/complete`, "", token)
      assert.deepStrictEqual(at(completed.json, "data", "status"), "ready")
      const kept = join(folder, "files/kept")
      const name = readdirSync(kept, { recursive: true, encoding: "utf8" }).find((one) => one.includes("/")) ?? ""
      assert.isTrue(file.equals(readFileSync(join(kept, name))))
    }))
})
