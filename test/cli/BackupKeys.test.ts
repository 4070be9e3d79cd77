import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { randomBytes } from "node:crypto"
import { command as run } from "../harness/Packages.ts"
import { runTurma, startApi } from "../harness/Turma.ts"
import { dataFolder } from "../harness/Watchdog.ts"

// Takes long: a service and three restores each make a database server.
const passphrase = { BACKUP_PASSPHRASE: "vogal consoante vogal" }

const turma = (env: Record<string, string>, ...args: ReadonlyArray<string>) =>
  runTurma({ args: ["src/cli/main.ts", ...args], env })

/** A machine on which the service has started once. It has a database and a generated key. */
const started = Effect.gen(function*() {
  const folder = yield* dataFolder
  yield* Effect.scoped(Effect.flatMap(startApi({ env: { DATA_DIR: folder } }), (service) => service.end()))
  return folder
})

layer(NodeServices.layer, { excludeTestServices: true })(
  "A backup with a generated key",
  (it) => {
    it.effect(
      "is restored with that key, wherever it is, and never over another one",
      () =>
        Effect.gen(function*() {
          const fs = yield* FileSystem.FileSystem
          const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-test-" })
          const [within, beside, sealed, keyFile] = ["within", "beside", "sealed", "key"].map((name) =>
            `${folder}/${name}`
          )
          assert.isDefined(within)
          assert.isDefined(beside)
          assert.isDefined(sealed)
          assert.isDefined(keyFile)
          const old = yield* started
          const key = yield* fs.readFileString(`${old}/app-secret-key`)
          const other = yield* dataFolder
          yield* run("cp", "-a", `${old}/.`, other)
          const otherKey = randomBytes(32).toString("base64")
          yield* fs.writeFileString(`${other}/app-secret-key`, otherKey)
          const made = yield* Effect.all([
            turma({ DATA_DIR: old }, "backup", within),
            turma({ DATA_DIR: old }, "backup", beside, "--key", keyFile),
            turma({ DATA_DIR: old, ...passphrase }, "backup", sealed)
          ])
          for (const { code, stderr } of made) assert.strictEqual(code, 0, stderr)
          assert.match(made[0].stdout, /^It holds the key that opens what is sealed: who has the file has everything$/m)
          assert.include(made[1].stdout, `It does not hold the key, which is in ${keyFile}: keep that elsewhere`)
          assert.notInclude(made[2].stdout, "It holds the key")
          const second = yield* turma({ DATA_DIR: other }, "backup", `${folder}/another`, "--key", keyFile)
          assert.strictEqual(second.code, 1)
          assert.include(second.stderr, `${keyFile} is there and holds another key`)
          assert.isFalse(yield* fs.exists(`${folder}/another`))

          // A machine with a generated key, with or without anything else.
          const onlyKey = yield* dataFolder
          yield* fs.writeFileString(`${onlyKey}/app-secret-key`, otherKey)
          for (const [DATA_DIR, archive, ...more] of [[other, within], [onlyKey, beside, "--key", keyFile]] as const) {
            const before = (yield* fs.readDirectory(DATA_DIR)).toSorted()
            const { code, stderr } = yield* turma({ DATA_DIR }, "restore", archive, ...more)
            assert.strictEqual(code, 1)
            assert.match(stderr, /is there already: name an empty DATA_DIR, or move what is in this one elsewhere$/m)
            assert.deepStrictEqual((yield* fs.readDirectory(DATA_DIR)).toSorted(), before)
            assert.strictEqual(yield* fs.readFileString(`${DATA_DIR}/app-secret-key`), otherKey)
          }

          const empty = yield* dataFolder
          const refused = Effect.fnUntraced(function*(
            env: Record<string, string>,
            args: ReadonlyArray<string>,
            why: RegExp
          ) {
            const { code, stderr } = yield* turma({ DATA_DIR: empty, ...env }, "restore", ...args)
            assert.strictEqual(code, 1)
            assert.match(stderr, why)
            assert.deepStrictEqual(yield* fs.readDirectory(empty), [])
          })
          yield* refused({}, [beside], /the backup has no key: set APP_SECRET_KEY .* or name its file by --key$/m)
          yield* refused(
            {},
            [beside, "--key", `${other}/app-secret-key`],
            /sealed with another key: \S+ is not the file that npx turma backup --key wrote beside it$/m
          )
          yield* refused(
            { APP_SECRET_KEY: otherKey },
            [within],
            /another key: its own is in it, so leave APP_SECRET_KEY out$/m
          )
          yield* refused(
            { APP_SECRET_KEY: otherKey },
            [beside],
            /another key: set APP_SECRET_KEY, and APP_SECRET_KEY_PREVIOUS/
          )
          yield* refused(passphrase, [within], /it is not sealed, .* is set: --unsealed takes it all the same$/m)
          yield* refused({}, [sealed], /it is sealed with a passphrase: set BACKUP_PASSPHRASE$/m)

          for (
            const [archive, ...more] of [
              [within, "--unsealed"],
              [beside, "--unsealed", "--key", keyFile],
              [sealed]
            ] as const
          ) {
            const DATA_DIR = yield* dataFolder
            const { code, stderr } = yield* turma({ DATA_DIR, ...passphrase }, "restore", archive, ...more)
            assert.strictEqual(code, 0, stderr)
            assert.strictEqual(yield* fs.readFileString(`${DATA_DIR}/app-secret-key`), key)
            assert.strictEqual((yield* fs.stat(`${DATA_DIR}/app-secret-key`)).mode & 0o777, 0o600)
          }
        })
    )
  }
)
