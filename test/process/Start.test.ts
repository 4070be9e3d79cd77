import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Redacted } from "effect"
import { createServer } from "node:net"
import { settings } from "../../src/cli/settings/Settings.ts"
import { freePort } from "../harness/FreePort.ts"
import { freshDatabaseUrl } from "../harness/Postgres.ts"
import { runTurma } from "../harness/Turma.ts"
import { refusedValues } from "../platform/config/refusedValues.ts"

const key = Buffer.alloc(32, 7).toString("base64")

/** Asserts one line on standard error, without a stack trace. */
const saysInOneLine = (stderr: string, pattern: RegExp) => {
  assert.match(stderr, pattern)
  assert.strictEqual(stderr.trimEnd().split("\n").length, 1, stderr)
}

/** A port that a server listens on until the scope closes. */
const takenPort = Effect.map(
  Effect.acquireRelease(
    Effect.callback<{ readonly number: number; readonly close: () => void }>((resume) => {
      const server = createServer().listen(0, "127.0.0.1", () => {
        const address = server.address()
        const number = typeof address === "object" && address !== null ? address.port : 0
        resume(Effect.succeed({ number, close: () => server.close() }))
      })
    }),
    ({ close }) => Effect.sync(close)
  ),
  ({ number }) => number
)

layer(NodeServices.layer, { concurrent: true, excludeTestServices: true })(
  "A process that cannot start",
  (it) => {
    it.effect("names every variable that is wrong in a line of its own, and starts nothing", () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const folder = yield* fs.makeTempDirectoryScoped()
        const { code, stderr, stdout } = yield* runTurma({ env: { DATA_DIR: folder, ...refusedValues } })
        assert.strictEqual(code, 2)
        assert.strictEqual(stdout, "")
        const lines = stderr.trimEnd().split("\n")
        const named = lines.map((line) => /^turma: ([A-Z_]+): expected .+, for example \1=./.exec(line)?.[1])
        assert.sameMembers(named, Object.keys(refusedValues))
        assert.containsAllKeys(settings, Object.keys(refusedValues))
        assert.deepStrictEqual(yield* fs.readDirectory(folder), [])
      }))

    it.effect("asks for the key that seals secrets when the database is not its own", () =>
      Effect.gen(function*() {
        const { code, stderr } = yield* runTurma({ env: { DATABASE_URL: "postgres://turma@127.0.0.1:1/turma" } })
        assert.strictEqual(code, 2)
        saysInOneLine(stderr, /^turma: APP_SECRET_KEY: expected /)
      }))

    it.effect("names DATABASE_URL when nobody answers there, without its password", () =>
      Effect.gen(function*() {
        const { code, stderr, stdout } = yield* runTurma({
          env: { DATABASE_URL: "postgres://turma:s3cret@127.0.0.1:1/turma", APP_SECRET_KEY: key }
        })
        assert.strictEqual(code, 1)
        saysInOneLine(
          stderr,
          /^turma: DATABASE_URL: cannot use postgres:\/\/turma@127\.0\.0\.1:1\/turma: .*ECONNREFUSED/
        )
        assert.notInclude(stdout + stderr, "s3cret")
      }))

    it.effect("names PORT when somebody else listens there", () =>
      Effect.gen(function*() {
        const url = Redacted.value(yield* freshDatabaseUrl)
        const port = yield* takenPort
        const { code, stderr } = yield* runTurma({
          env: { DATABASE_URL: url, APP_SECRET_KEY: key, PORT: `${port}` }
        })
        assert.strictEqual(code, 1)
        saysInOneLine(
          stderr,
          new RegExp(`^turma: PORT: another process uses ${port} on 127\\.0\\.0\\.1$`, "m")
        )
      }))

    it.effect.each([["alone", "1"], ["as one of several", "2"]] as const)(
      "finds a taken port before it makes a database, %s",
      ([, PROCESSES]) =>
        Effect.gen(function*() {
          const fs = yield* FileSystem.FileSystem
          const DATA_DIR = `${yield* fs.makeTempDirectoryScoped()}/data`
          const port = yield* takenPort
          const { code, stderr } = yield* runTurma({ env: { DATA_DIR, PROCESSES, PORT: `${port}` } })
          assert.strictEqual(code, 1)
          saysInOneLine(
            stderr,
            new RegExp(`^turma: PORT: another process uses ${port} on 127\\.0\\.0\\.1$`, "m")
          )
          assert.isFalse(yield* fs.exists(DATA_DIR))
        })
    )

    it.effect("names HOST when it is no address of this machine", () =>
      Effect.gen(function*() {
        const url = Redacted.value(yield* freshDatabaseUrl)
        const { code, stderr } = yield* runTurma({
          env: { DATABASE_URL: url, APP_SECRET_KEY: key, HOST: "192.0.2.1", PORT: `${yield* freePort}` }
        })
        assert.strictEqual(code, 1)
        saysInOneLine(stderr, /^turma: HOST: cannot listen on 192\.0\.2\.1 \(EADDRNOTAVAIL\)$/m)
      }))

    it.effect("names the folder that cannot be used", () =>
      Effect.gen(function*() {
        const { code, stderr } = yield* runTurma({ env: { DATA_DIR: "/dev/null/data" } })
        assert.strictEqual(code, 2)
        saysInOneLine(stderr, /^turma: DATA_DIR: \/dev\/null is no folder: name another one/)
      }))
  }
)
