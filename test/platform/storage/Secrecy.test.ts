import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, References } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { appLayer, send } from "../../harness/App.ts"
import { call, isRefusal } from "../../harness/RawHttp.ts"
import { downloadPath, localFolder, uploadPath } from "./local/LocalFolder.ts"

const { folder } = localFolder()
const { folder: broken } = localFolder()
const secret = "a-long-random-text"

const lines: Array<string> = []
const LoggedLayer = (variables: Record<string, string>) =>
  appLayer(variables).pipe(
    Layer.provide(Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])),
    Layer.provide(Layer.succeed(References.MinimumLogLevel, "Trace"))
  )

layer(LoggedLayer({ DATA_DIR: folder, INTERNAL_SECRET: secret }))(
  "The token of an address",
  (it) => {
    it.effect("is in no log and in no metric, whatever becomes of the request", () =>
      Effect.gen(function*() {
        const [up, down] = [yield* uploadPath({ size_bytes: 5 }), yield* downloadPath()]
        lines.length = 0
        const headers = { "Content-Type": "text/plain" }
        const answers = [
          yield* call("PUT", up, { headers, body: "hello" }),
          yield* call("PUT", up, { headers, body: "hello!" }),
          yield* call("PUT", `${up}x`, { headers, body: "hello" }),
          yield* call("POST", up, { headers, body: "hello" }),
          yield* call("GET", down)
        ]
        assert.deepStrictEqual(answers.map(({ status }) => status), [204, 422, 403, 405, 404])
        const { text } = yield* send("GET", "/internal/metrics", { token: secret })
        assert.include(text, "route=\"/storage/uploads/:token\"")
        assert.include(lines.join("\n"), "/storage/files/:token")
        for (const path of [up, down]) {
          const token = path.split("/").at(-1) ?? path
          assert.notInclude(text, token)
          assert.notInclude(lines.join("\n"), token)
        }
      }))
  }
)

layer(LoggedLayer({ DATA_DIR: broken }))("A disk that takes nothing", (it) => {
  it.effect("is an internal error, without a word of it or of the address", () =>
    Effect.gen(function*() {
      // A file takes the place of the folder.
      writeFileSync(join(broken, "files"), "")
      lines.length = 0
      const path = yield* uploadPath({ size_bytes: 5 })
      const headers = { "Content-Type": "text/plain" }
      isRefusal(
        yield* call("PUT", path, { headers, body: "hello" }),
        500,
        "internal_error",
        "Something went wrong in the service: try again, and report the X-Request-Id if it happens again"
      )
      assert.include(lines.join("\n"), "A request failed unexpectedly")
      assert.notInclude(lines.join("\n"), path.split("/").at(-1) ?? path)
    }))
})
