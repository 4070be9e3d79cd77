import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Redacted } from "effect"
import { freshDatabaseUrl } from "../harness/Postgres.ts"
import { startArguments } from "../harness/ScriptArguments.ts"
import { ask, runTurma, startApi } from "../harness/Turma.ts"
import { postgresFolder } from "../harness/Watchdog.ts"

layer(NodeServices.layer, { concurrent: true, excludeTestServices: true, timeout: "120 seconds" })(
  "A process whose secrets are in files",
  (it) => {
    it.effect("serves, takes changed ones up by SIGHUP, and warns once of a short one and of variables that look like ours", () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const DATA_DIR = yield* postgresFolder()
        const write = (name: string, text: string) =>
          Effect.as(fs.writeFileString(`${DATA_DIR}/${name}`, `${text}\n`), `${DATA_DIR}/${name}`)
        const turma = yield* startApi({
          args: startArguments,
          env: {
            DATA_DIR,
            DATABASE_URL_FILE: yield* write("database", Redacted.value(yield* freshDatabaseUrl)),
            APP_SECRET_KEY_FILE: yield* write("key", Buffer.alloc(32, 7).toString("base64")),
            INTERNAL_SECRET_FILE: yield* write("internal", "the-first-secret"),
            // The test tries the second secret until the service accepts it.
            RATE_LIMIT_CREDENTIALS: "100000",
            PROCESSES: "2",
            PROT: "hunter2",
            REDIS_PORT_6379_TCP_ADDR: "10.0.0.1",
            LOG_FORMAT: "json"
          }
        })
        yield* turma.until("processes are ready")
        const metrics = (secret: string) =>
          Effect.map(
            ask(`${turma.url}/internal/metrics`, { headers: { authorization: `Bearer ${secret}` } }),
            ({ status }) => status
          )
        assert.strictEqual(yield* metrics("the-first-secret"), 200)
        yield* write("internal", "the-second-secret")
        yield* turma.kill("SIGHUP")
        yield* Effect.repeat(Effect.delay(metrics("the-second-secret"), "100 millis"), {
          until: (code) => code === 200
        })
        const { code, stderr, stdout } = yield* turma.end()
        assert.deepStrictEqual([code, stderr], [0, ""])
        assert.strictEqual(stdout.split("PROT is no variable of Turma: is PORT meant?").length, 2)
        assert.strictEqual(stdout.split("INTERNAL_SECRET is shorter than 24 characters: it may be guessed").length, 2)
        assert.notInclude(stdout, "hunter2")
        assert.notInclude(stdout, "REDIS_PORT")
      }))

    it.effect("ends at the start with a line for each that cannot be used", () =>
      Effect.gen(function*() {
        const { code, stderr, stdout } = yield* runTurma({
          env: {
            DATABASE_URL: "postgres://turma:hunter2@127.0.0.1/turma",
            DATABASE_URL_FILE: "/etc/hostname",
            APP_SECRET_KEY_FILE: "/nowhere/key"
          }
        })
        assert.strictEqual(code, 2)
        assert.strictEqual(stdout, "")
        assert.deepStrictEqual(stderr.trimEnd().split("\n").toSorted(), [
          "turma: APP_SECRET_KEY_FILE: cannot use the file /nowhere/key (ENOENT)",
          "turma: DATABASE_URL and DATABASE_URL_FILE are both set: set one of them"
        ])
      }))
  }
)
