import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { postmasterOf } from "../harness/Postmaster.ts"
import { post, runTurma, startApi } from "../harness/Turma.ts"
import { dataFolder } from "../harness/Watchdog.ts"

// Takes long: it starts a service before a backup and after a restore.

const timeout = 600_000

const account = { email: "ana@example.com", password: "uma-senha-bem-longa" }

const turma = (command: "backup" | "restore", file: string, DATA_DIR: string) =>
  runTurma({ args: ["src/cli/main.ts", command, file], env: { DATA_DIR } })

layer(NodeServices.layer, { concurrent: true, excludeTestServices: true })(
  "A backup of the embedded database",
  (it) => {
    it.effect(
      "is made with and without a running service, is all that a new machine needs, and leaves nothing if not whole",
      () =>
        Effect.gen(function*() {
          const fs = yield* FileSystem.FileSystem
          const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-test-" })
          const file = `${folder}/a.turma`
          const old = yield* dataFolder
          const service = yield* startApi({ env: { DATA_DIR: old } })
          assert.strictEqual(
            (yield* post(`${service.url}/v1/auth/admin/sign-up`, { ...account, name: "Ana" })).status,
            202
          )
          const made = yield* turma("backup", file, old)
          assert.strictEqual(made.code, 0, made.stderr)
          assert.match(made.stdout, /holds the installation as of .*\nIt holds the key that opens what is sealed/)
          assert.match(made.stderr, /^turma: sign_ups: 1 of 1 rows$/m)
          assert.strictEqual((yield* service.end()).code, 0)

          const next = yield* dataFolder
          const restored = yield* turma("restore", file, next)
          assert.strictEqual(restored.code, 0, restored.stderr)
          assert.match(restored.stdout, /^The installation is as of .*\n[^]*`npx turma clock confirm`/m)
          // The restore has started a database server and ended it.
          assert.isUndefined(postmasterOf(`${next}/postgres`))
          const key = `${next}/app-secret-key`
          assert.strictEqual(yield* fs.readFileString(key), yield* fs.readFileString(`${old}/app-secret-key`))
          assert.strictEqual((yield* fs.stat(key)).mode & 0o777, 0o600)
          const again = yield* startApi({ env: { DATA_DIR: next } })
          assert.include((yield* post(`${again.url}/v1/auth/admin/sign-in`, account)).text, "email_not_verified")

          const half = `${folder}/half.turma`
          assert.strictEqual((yield* turma("backup", half, old)).code, 0)
          const bytes = yield* fs.readFile(half)
          yield* fs.writeFile(half, bytes.subarray(0, bytes.length - 10))
          const nowhere = yield* dataFolder
          const cut = yield* turma("restore", half, nowhere)
          assert.strictEqual(cut.code, 1)
          assert.match(cut.stderr, /^turma: \S+half\.turma: it ends in the middle$/m)
          assert.deepStrictEqual(yield* fs.readDirectory(nowhere), [])

          yield* fs.makeDirectory(`${nowhere}/restoring`)
          const started = yield* runTurma({ env: { DATA_DIR: nowhere } })
          assert.strictEqual(started.code, 1)
          assert.match(
            started.stderr,
            /^turma: \S+\/restoring: a restore into DATA_DIR is under way, or was cut off: .*\n$/
          )
          assert.deepStrictEqual(yield* fs.readDirectory(nowhere), ["restoring"])
        }),
      timeout
    )
  }
)
