import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Exit, FileSystem } from "effect"
import { checkDataFolder } from "../../src/operations/DataFolder.ts"
import { freePort } from "../harness/FreePort.ts"
import { runTurma } from "../harness/Turma.ts"

const APP_SECRET_KEY = Buffer.alloc(32, 7).toString("base64")

/** The one line of a start that refuses `DATA_DIR`. */
const refusal = Effect.fnUntraced(function*(env: Record<string, string>, as: ReadonlyArray<string> = []) {
  const [program = process.execPath, ...args] = [...as, process.execPath, "src/cli/run.js"]
  const { code, stderr, stdout } = yield* runTurma({ program, args, env: { PORT: `${yield* freePort}`, ...env } })
  assert.deepStrictEqual([code, stdout], [2, ""], stderr)
  const [line = "", ...more] = stderr.trimEnd().split("\n")
  assert.deepStrictEqual(more, [])
  return line
})

/** The check of the folder at each start, without the rest of a service. */
const checked = (env: Record<string, string>) =>
  Effect.provide(checkDataFolder, ConfigProvider.layer(ConfigProvider.fromEnv({ env })))

/** The line with which such a start is refused. */
const fault = (env: Record<string, string>) => Effect.map(Effect.flip(checked(env)), ({ message }) => message)

layer(NodeServices.layer, { concurrent: true, excludeTestServices: true })(
  "A DATA_DIR that is of no use",
  (it) => {
    it.effect("is refused at the start, with the variable and what to do, whatever would be kept in it", () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-test-" })
        yield* fs.chmod(folder, 0o755)
        yield* fs.writeFileString(`${folder}/file`, "")
        yield* fs.symlink(`${folder}/nowhere`, `${folder}/link`)
        yield* fs.makeDirectory(`${folder}/parts/files`, { recursive: true })
        yield* fs.writeFileString(`${folder}/parts/mail`, "")
        const database = { DATABASE_URL: "postgres://turma@127.0.0.1:1/turma", APP_SECRET_KEY }
        const bucket = { STORAGE_URL: "s3://id:secret@127.0.0.1:1/bucket?tls=false" }

        const isNone = `DATA_DIR: ${folder}/file is no folder: name another one`
        assert.strictEqual(yield* refusal({ DATA_DIR: `${folder}/file` }), `turma: ${isNone}`)
        assert.strictEqual(yield* fault({ DATA_DIR: `${folder}/file/below/it` }), isNone)
        assert.match(
          yield* fault({ DATA_DIR: `${folder}/link` }),
          /^DATA_DIR: \S+\/link leads to nothing that is there: name a folder$/
        )
        // No user can make anything there.
        assert.match(yield* fault({ DATA_DIR: "/proc/turma" }), /^DATA_DIR: \/proc cannot be written to \(\w+\): /)

        // The folder is needed for files alone, for mails alone, and for backups alone.
        const smtp = { SMTP_URL: "smtp://127.0.0.1:1" }
        assert.strictEqual(yield* fault({ ...database, ...smtp, DATA_DIR: `${folder}/file` }), isNone)
        assert.strictEqual(yield* fault({ ...database, ...bucket, DATA_DIR: `${folder}/file` }), isNone)
        const backups = { ...database, ...bucket, ...smtp, BACKUP_URL: folder }
        assert.strictEqual(yield* fault({ ...backups, DATA_DIR: `${folder}/file` }), isNone)
        assert.strictEqual(
          yield* refusal({ ...database, DATA_DIR: `${folder}/parts` }),
          `turma: DATA_DIR: ${folder}/parts/mail is no folder: name another one`
        )
        assert.deepStrictEqual(yield* fs.readDirectory(`${folder}/parts`), ["files", "mail"])
      }))

    it.effect("is refused to a user that may not write there", (context) =>
      Effect.gen(function*() {
        if (process.getuid?.() !== 0) return context.skip("only root becomes another user")
        const fs = yield* FileSystem.FileSystem
        const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-test-" })
        yield* fs.chmod(folder, 0o755)
        const asNobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        assert.strictEqual(
          yield* refusal({ DATA_DIR: `${folder}/data`, NODE_COMPILE_CACHE: "" }, asNobody),
          `turma: DATA_DIR: ${folder} cannot be written to (EACCES): give it to the user that runs this, or name another folder`
        )
      }))

    it.effect("is not looked at where nothing is kept in it", () =>
      Effect.gen(function*() {
        const env = {
          DATABASE_URL: "postgres://turma@127.0.0.1:1/turma",
          APP_SECRET_KEY,
          STORAGE_URL: "s3://id:secret@127.0.0.1:1/bucket?tls=false",
          ROLE: "api",
          DATA_DIR: "/proc/turma"
        }
        assert.isTrue(Exit.isSuccess(yield* Effect.exit(checked(env))))
      }))
  }
)
