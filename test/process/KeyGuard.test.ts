import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { freePort } from "../harness/FreePort.ts"
import { freshDatabaseUrl, postgresLayerAt } from "../harness/Postgres.ts"
import { runTurma, startApi } from "../harness/Turma.ts"
import { postgresFolder } from "../harness/Watchdog.ts"
import { idOf, sealedDocument } from "./SealedDocument.ts"

// Takes long: it starts whole services with one key after another.

const newKey = () => randomBytes(32).toString("base64")

/** Asserts that the service starts with these variables, and ends it. */
const serves = Effect.fnUntraced(function*(env: Record<string, string>) {
  const turma = yield* startApi({ env })
  const { code, stderr } = yield* turma.end()
  assert.deepStrictEqual([code, stderr], [0, ""])
}, Effect.scoped)

/** Asserts that the service refuses these variables with one line. Answers the line. */
const refuses = Effect.fnUntraced(function*(env: Record<string, string>) {
  const { code, stderr } = yield* runTurma({ env: { PORT: `${yield* freePort}`, ...env } })
  assert.strictEqual(code, 2, stderr)
  const [line = "", ...more] = stderr.trimEnd().split("\n")
  assert.deepStrictEqual(more, [])
  assert.match(line, /^turma: APP_SECRET_KEY: /)
  return line
})

const command = (env: Record<string, string>, ...words: ReadonlyArray<string>) =>
  runTurma({ args: ["src/cli/main.ts", ...words], env })

layer(NodeServices.layer, { concurrent: true, excludeTestServices: true, timeout: "180 seconds" })(
  "A start with another key than the database's",
  (it) => {
    it.effect("is refused, also on a database that has no fingerprints yet, until the key is there or given up", () =>
      Effect.gen(function*() {
        const database = yield* freshDatabaseUrl
        const [right, wrong, third] = [newKey(), newKey(), newKey()]
        const env = { DATABASE_URL: Redacted.value(database), DATA_DIR: yield* postgresFolder() }
        yield* sealedDocument(right).pipe(Effect.provide(postgresLayerAt(database, 2)))

        // As after an upgrade: only the sealed values show which key is in use.
        assert.include(
          yield* refuses({ ...env, APP_SECRET_KEY: wrong }),
          `the database needs key ${idOf(right)}, which has sealed tax documents of students`
        )
        yield* serves({ ...env, APP_SECRET_KEY: right })
        const line = yield* refuses({ ...env, APP_SECRET_KEY: wrong })
        assert.include(line, `the keys that are set are ${idOf(wrong)}: set APP_SECRET_KEY to it, or`)
        for (const key of [right, wrong]) assert.notInclude(line, key)

        const doctor = yield* command({ ...env, APP_SECRET_KEY: wrong }, "doctor")
        assert.strictEqual(doctor.code, 1)
        assert.include(doctor.stdout, `the database needs key ${idOf(right)}`)
        const backup = yield* command({ ...env, APP_SECRET_KEY: wrong }, "backup", `${env.DATA_DIR}/a.turma`)
        assert.strictEqual(backup.code, 1)
        assert.include(backup.stderr, `the database needs key ${idOf(right)}`)

        yield* serves({ ...env, APP_SECRET_KEY: wrong, APP_SECRET_KEY_PREVIOUS: right, ROLE: "api" })
        // Nothing is sealed with the wrong key yet.
        yield* serves({ ...env, APP_SECRET_KEY: right, ROLE: "api" })
        yield* serves({ ...env, APP_SECRET_KEY: wrong, APP_SECRET_KEY_PREVIOUS: right, ROLE: "api" })
        yield* sealedDocument(wrong).pipe(Effect.provide(postgresLayerAt(database, 2)))
        yield* refuses({ ...env, APP_SECRET_KEY: right })
        yield* refuses({ ...env, APP_SECRET_KEY: third })
        const given = yield* command({ ...env, APP_SECRET_KEY: third }, "keys", "forget", "--lost")
        assert.strictEqual(given.code, 0, given.stderr)
        for (const key of [right, wrong]) assert.include(given.stdout, `Key ${idOf(key)} is not asked for any more`)
        yield* serves({ ...env, APP_SECRET_KEY: third })
      }))

    it.effect("is refused while a process seals with the key that it lacks", () =>
      Effect.gen(function*() {
        const [one, other] = [newKey(), newKey()]
        const env = { DATABASE_URL: Redacted.value(yield* freshDatabaseUrl), DATA_DIR: yield* postgresFolder() }
        const turma = yield* startApi({ env: { ...env, APP_SECRET_KEY: one } })
        assert.include(
          yield* refuses({ ...env, APP_SECRET_KEY: other }),
          `the database needs key ${idOf(one)}, which process ${turma.pid} on`
        )
        assert.strictEqual((yield* turma.end()).code, 0)
        // The first key has sealed nothing.
        yield* serves({ ...env, APP_SECRET_KEY: other })
      }))

    it.effect("is refused where the generated key is gone, and none is made in its place", () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const DATA_DIR = yield* postgresFolder()
        const file = `${DATA_DIR}/app-secret-key`
        yield* serves({ DATA_DIR })
        const key = yield* fs.readFileString(file)
        yield* fs.remove(file)
        assert.include(yield* refuses({ DATA_DIR }), `${file} is not there, and no other key is made`)
        assert.isFalse(yield* fs.exists(file))
        const pid = yield* fs.exists(`${DATA_DIR}/postgres/cluster/postmaster.pid`)
        assert.isFalse(pid)
        yield* serves({ DATA_DIR, APP_SECRET_KEY: key })
        yield* fs.writeFileString(file, key)
        yield* serves({ DATA_DIR })
        yield* fs.remove(file)
        const given = yield* command({ DATA_DIR }, "keys", "forget", "--lost")
        assert.deepStrictEqual([given.code, given.stdout.split(" ")[1]], [0, idOf(key)], given.stderr)
        yield* serves({ DATA_DIR })
        assert.notStrictEqual(yield* fs.readFileString(file), key)
      }))
  }
)
