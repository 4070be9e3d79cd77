import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, FileSystem, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { randomBytes } from "node:crypto"
import { sealedRows } from "../../src/App.ts"
import { guardKeys } from "../../src/platform/keys/KeyGuard.ts"
import { embeddedPostgres } from "../../src/platform/sql/EmbeddedPostgres.ts"
import { freePort } from "../harness/FreePort.ts"
import { freshDatabaseUrl, postgresLayerAt } from "../harness/Postgres.ts"
import { runTurma, startApi } from "../harness/Turma.ts"
import { postgresFolder } from "../harness/Watchdog.ts"
import { idOf, sealedDocument } from "./SealedDocument.ts"

const newKey = () => randomBytes(32).toString("base64")

/** Asserts that the line says what to do about the key, and answers it. */
const refusal = (text: string) => {
  const [line = "", ...more] = text.trimEnd().split("\n")
  assert.deepStrictEqual(more, [])
  assert.match(line, /^APP_SECRET_KEY: /)
  return line
}

/** Asserts that the service refuses these variables with one line. Answers the line. */
const refuses = Effect.fnUntraced(function*(env: Record<string, string>) {
  const { code, stderr } = yield* runTurma({ env: { PORT: `${yield* freePort}`, ...env } })
  assert.strictEqual(code, 2, stderr)
  assert.match(stderr, /^turma: /)
  return refusal(stderr.replace("turma: ", ""))
})

/** The check of keys at each start, without the rest of a service. */
const guarded = (env: Record<string, string>) =>
  Effect.provide(guardKeys(sealedRows), ConfigProvider.layer(ConfigProvider.fromEnv({ env })))

/** The line with which such a start is refused. */
const isRefused = (env: Record<string, string>) =>
  Effect.map(Effect.flip(guarded(env)), ({ message }) => refusal(message))

const command = (env: Record<string, string>, ...words: ReadonlyArray<string>) =>
  runTurma({ args: ["src/cli/main.ts", ...words], env })

layer(Layer.merge(NodeServices.layer, SecureRandom.layerWebCrypto), { concurrent: true, excludeTestServices: true })(
  "A start with another key than the database's",
  (it) => {
    it.effect("is refused, also on a database without fingerprints, until the key is there, given up or not in use", () =>
      Effect.gen(function*() {
        const database = yield* freshDatabaseUrl
        const [right, wrong, third, fourth] = [newKey(), newKey(), newKey(), newKey()]
        const env = { DATABASE_URL: Redacted.value(database), DATA_DIR: yield* postgresFolder() }
        yield* Effect.gen(function*() {
          yield* sealedDocument(right)

          // As after an upgrade: only the sealed values show which key is in use.
          const first = yield* refuses({ ...env, APP_SECRET_KEY: wrong })
          assert.include(first, `the database needs key ${idOf(right)}, which has sealed tax documents of students`)
          for (const key of [right, wrong]) assert.notInclude(first, key)
          yield* guarded({ ...env, APP_SECRET_KEY: right })
          const line = yield* isRefused({ ...env, APP_SECRET_KEY: wrong })
          assert.include(line, `the keys that are set are ${idOf(wrong)}: set APP_SECRET_KEY to it, or`)
          for (const key of [right, wrong]) assert.notInclude(line, key)

          const doctor = yield* command({ ...env, APP_SECRET_KEY: wrong }, "doctor")
          assert.strictEqual(doctor.code, 1)
          assert.include(doctor.stdout, `the database needs key ${idOf(right)}`)
          const backup = yield* command({ ...env, APP_SECRET_KEY: wrong }, "backup", `${env.DATA_DIR}/a.turma`)
          assert.strictEqual(backup.code, 1)
          assert.include(backup.stderr, `the database needs key ${idOf(right)}`)

          yield* guarded({ ...env, APP_SECRET_KEY: wrong, APP_SECRET_KEY_PREVIOUS: right })
          // Nothing is sealed with the wrong key yet.
          yield* guarded({ ...env, APP_SECRET_KEY: right })
          yield* guarded({ ...env, APP_SECRET_KEY: wrong, APP_SECRET_KEY_PREVIOUS: right })
          yield* sealedDocument(wrong)
          yield* isRefused({ ...env, APP_SECRET_KEY: right })
          yield* isRefused({ ...env, APP_SECRET_KEY: third })
          const given = yield* command({ ...env, APP_SECRET_KEY: third }, "keys", "forget", "--lost")
          assert.strictEqual(given.code, 0, given.stderr)
          for (const key of [right, wrong]) assert.include(given.stdout, `Key ${idOf(key)} is not asked for any more`)

          const turma = yield* startApi({ env: { ...env, APP_SECRET_KEY: third } })
          assert.include(
            yield* isRefused({ ...env, APP_SECRET_KEY: fourth }),
            `the database needs key ${idOf(third)}, which process ${turma.pid} on`
          )
          const { code, stderr } = yield* turma.end()
          assert.deepStrictEqual([code, stderr], [0, ""])
          // The third key has sealed nothing.
          yield* guarded({ ...env, APP_SECRET_KEY: fourth })
        }).pipe(Effect.provide(postgresLayerAt(database, 2)))
      }))

    it.effect("is refused where the generated key is gone, and none is made in its place", () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const DATA_DIR = yield* postgresFolder()
        const file = `${DATA_DIR}/app-secret-key`
        const turma = yield* startApi({ env: { DATA_DIR } })
        const { code, stderr } = yield* turma.end()
        assert.deepStrictEqual([code, stderr], [0, ""])
        const key = yield* fs.readFileString(file)
        yield* fs.remove(file)
        assert.include(yield* refuses({ DATA_DIR }), `${file} is not there, and no other key is made`)
        assert.isFalse(yield* fs.exists(file))
        const pid = yield* fs.exists(`${DATA_DIR}/postgres/cluster/postmaster.pid`)
        assert.isFalse(pid)

        const database = yield* embeddedPostgres({ directory: `${DATA_DIR}/postgres` })
        yield* Effect.gen(function*() {
          yield* guarded({ DATA_DIR, APP_SECRET_KEY: key })
          yield* fs.writeFileString(file, key)
          yield* guarded({ DATA_DIR })
          yield* fs.remove(file)
          assert.include(yield* isRefused({ DATA_DIR }), `${file} is not there, and no other key is made`)
          const given = yield* command({ DATA_DIR }, "keys", "forget", "--lost")
          assert.deepStrictEqual([given.code, given.stdout.split(" ")[1]], [0, idOf(key)], given.stderr)
          yield* guarded({ DATA_DIR })
          assert.notStrictEqual(yield* fs.readFileString(file), key)
        }).pipe(Effect.provide(postgresLayerAt(database, 2)))
      }))
  }
)
