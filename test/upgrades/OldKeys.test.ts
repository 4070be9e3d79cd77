import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Redacted } from "effect"
import { emptyDatabaseUrl } from "../harness/Postgres.ts"
import { runTurma, startApi } from "../harness/Turma.ts"
import { postgresFolder } from "../harness/Watchdog.ts"
import { unpackRelease } from "./Release.ts"

const [first, second] = [Buffer.alloc(32, 7).toString("base64"), Buffer.alloc(32, 8).toString("base64")]

layer(NodeServices.layer, { excludeTestServices: true })("Going back to 0.2.0", (it) => {
  it.effect("wants a file of one key, or all keys as variables, also those that other files had", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const release = yield* unpackRelease("0.2.0")
      const DATA_DIR = yield* postgresFolder()
      const file = `${DATA_DIR}/app-secret-key`
      yield* fs.writeFileString(file, `${first}\n${second}`)
      const refused = yield* runTurma({ ...release, env: { DATA_DIR } })
      assert.strictEqual(refused.code, 1)
      assert.include(refused.stderr, file)
      assert.notInclude(refused.stderr, first)

      const both = { APP_SECRET_KEY: first, APP_SECRET_KEY_PREVIOUS: second }
      const given = yield* startApi({ ...release, env: { DATA_DIR, ...both } })
      assert.strictEqual((yield* given.end()).code, 0)
      yield* fs.writeFileString(file, first)
      const one = yield* startApi({ ...release, env: { DATA_DIR } })
      assert.strictEqual((yield* one.end()).code, 0)

      const DATABASE_URL = Redacted.value(yield* emptyDatabaseUrl)
      const elsewhere = { DATA_DIR: yield* postgresFolder(), DATABASE_URL, APP_SECRET_KEY_FILE: file }
      const unnamed = yield* runTurma({ ...release, env: elsewhere })
      assert.strictEqual(unnamed.code, 2)
      assert.match(unnamed.stderr, /APP_SECRET_KEY\b(?!_FILE)/)
    }))
})
