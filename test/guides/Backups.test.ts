import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { isBackupName } from "../../src/operations/backup/place/BackupName.ts"
import { commandModule } from "../harness/CommandModule.ts"
import { runTurma, startApi } from "../harness/Turma.ts"
import { dataFolder } from "../harness/Watchdog.ts"
import { blocks, guide, marked } from "./Guides.ts"

// Takes long: it runs every command, and makes and restores two databases.

const commands = blocks(marked(guide("backups"), "guide: commands", "/guide"), "sh").join("\n")

layer(NodeServices.layer, { excludeTestServices: true })("The guide to backups", (it) => {
  it.effect(
    "has commands that make, keep, verify and restore, with the key in a file of its own",
    () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const [folder, old, next] = [yield* fs.makeTempDirectoryScoped(), yield* dataFolder, yield* dataFolder]
        yield* fs.makeDirectory(`${folder}/elsewhere`)
        const script = commands
          .replaceAll("npx turma", `node ${commandModule}`)
          .replaceAll("/var/lib/turma-restored", next)
          .replaceAll(/ (\/backups|\/elsewhere)/g, ` ${folder}$1`)
        yield* Effect.scoped(Effect.gen(function*() {
          const service = yield* startApi({ env: { DATA_DIR: old } })
          const { code, stderr, stdout } = yield* runTurma({
            program: "bash",
            args: ["-euo", "pipefail", "-c", script],
            env: { DATA_DIR: old }
          })
          assert.strictEqual(code, 0, stderr)
          assert.match(stdout, /^It is good: restored within [\d.]+ seconds, and everything is the same/m)
          assert.match(stdout, /^turma-[0-9a-f]{8}-\d{8}T\d{6}Z\.turma {2}\d+$/m)
          assert.match(stdout, /^It does not hold the key, which is in \S+\/elsewhere\/turma-key: keep that elsewhere/m)
          assert.match(stdout, /^The installation is as of /m)
          yield* service.end()
        }))
        const [was, is] = yield* Effect.all([old, next].map((each) => fs.readFileString(`${each}/app-secret-key`)))
        assert.strictEqual(is, was)
        assert.strictEqual((yield* fs.stat(`${folder}/elsewhere/turma-key`)).mode & 0o777, 0o600)
        // Without the key file, the new installation cannot open the secrets.
        const empty = yield* dataFolder
        const refused = yield* runTurma({
          args: ["src/cli/main.ts", "restore", `${folder}/backups/before-the-move.turma`],
          env: { DATA_DIR: empty }
        })
        assert.strictEqual(refused.code, 1)
        assert.match(refused.stderr, /^turma: the backup has no key: set APP_SECRET_KEY .* or name its file by --key$/m)
        // A new name with a slash at its end becomes a folder.
        const backup = (...args: ReadonlyArray<string>) =>
          runTurma({ args: ["src/cli/main.ts", "backup", ...args], env: { DATA_DIR: old } })
        assert.strictEqual((yield* backup(`${folder}/others/`)).code, 0)
        assert.lengthOf((yield* fs.readDirectory(`${folder}/others`)).filter(isBackupName), 1)
        const kept = yield* backup(`${folder}/backups/before-the-move.turma`, "--keep", "7")
        assert.match(
          kept.stderr,
          /^turma: --keep is for a folder or bucket, and \S+\/before-the-move\.turma is a file$/m
        )
        const bucket = yield* backup("s3://id:secret@host/bucket/a")
        assert.match(bucket.stderr, /^turma: a bucket is named by BACKUP_URL: /m)
        assert.notInclude(bucket.stderr, "secret@")
      }),
    600_000
  )
})
