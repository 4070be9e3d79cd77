import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { emptyDatabaseUrl } from "../../harness/Postgres.ts"
import { hasTrials } from "../../harness/Trials.ts"
import {
  as,
  backupTo,
  contentOf,
  file,
  type Installation,
  installation,
  linesOf,
  restoreOf,
  source,
  sqlOf
} from "./Installation.ts"
import { rewritten } from "./Rewritten.ts"

// Takes long: each restore makes a whole schema.
const timeout = 600_000

const without = (what: string) => (name: string, text: string) => name.startsWith(what) ? undefined : text

const replacing = (what: string, from: RegExp, to: string) => (name: string, text: string) =>
  name.startsWith(what) ? text.replace(from, to) : text

/** Asserts that a failed restore leaves no rows and no files. */
const isUntouched = Effect.fnUntraced(function*(target: Installation) {
  const fs = yield* FileSystem.FileSystem
  assert.deepStrictEqual(yield* fs.readDirectory(target.env.DATA_DIR).pipe(Effect.orElseSucceed(() => [])), [])
  const tables = linesOf("select relname as line from pg_class where relnamespace = 'public'::regnamespace")
  assert.deepStrictEqual(yield* Effect.provide(tables, sqlOf(target)), [])
})

const TestLayer = Layer.mergeAll(NodeServices.layer, SecureRandom.layerWebCrypto)

layer(TestLayer, { excludeTestServices: true })("A backup", (it) => {
  it.effect("becomes the same database and the same files", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const from = yield* source
      const { header, manifest } = yield* from.make
      assert.strictEqual(header.tables.length, manifest.tables.length)
      assert.strictEqual(manifest.files.count, 2)
      const target = yield* installation(yield* emptyDatabaseUrl)
      yield* as(restoreOf(from.archive), target.env)
      const [was, is] = yield* Effect.all([from, target].map((each) => Effect.provide(contentOf, sqlOf(each))))
      for (const [what, lines] of was ?? []) assert.deepStrictEqual(is?.get(what), lines, what)
      assert.deepStrictEqual((yield* fs.readDirectory(target.env.DATA_DIR, { recursive: true })).toSorted(), [
        "files",
        "files/kept",
        "files/kept/club",
        file,
        "files/uploads",
        "files/uploads/club.b"
      ])
      assert.strictEqual(yield* fs.readFileString(`${target.env.DATA_DIR}/${file}`), "bytes")
    }), timeout)

  it.effect.skipIf(!hasTrials)("is refused where it does not fit, and changes nothing", () =>
    Effect.gen(function*() {
      const from = yield* source
      yield* from.make
      const target = yield* installation(yield* emptyDatabaseUrl)
      const refusal = Effect.fnUntraced(function*(archive: string, why: RegExp, more: Record<string, string> = {}) {
        const error = yield* Effect.flip(as(restoreOf(archive), { ...target.env, ...more }))
        assert.match(error.message, why)
        yield* isUntouched(target)
      })
      const changed = Effect.fnUntraced(function*(change: Parameters<typeof rewritten>[1], why: RegExp) {
        const fs = yield* FileSystem.FileSystem
        const archive = yield* rewritten(from.archive, change)
        yield* refusal(archive, why)
        yield* fs.remove(archive)
      })
      yield* refusal(`${from.archive}.none`, /there is no such file/)
      yield* refusal(from.archive, /another key: set APP_SECRET_KEY/, {
        APP_SECRET_KEY: Buffer.alloc(32, 8).toString("base64")
      })
      yield* refusal(from.archive, /STORAGE_URL names a bucket/, { STORAGE_URL: "s3://id:secret@127.0.0.1:9000/turma" })
      yield* changed(
        replacing("turma.json", /"format":1/, "\"format\":2"),
        /has format 2, this version of Turma reads 1/
      )
      yield* changed(replacing("turma.json", /"has_files":true/, "\"has_files\":false"), /in a bucket: set STORAGE_URL/)
      yield* changed(replacing("turma.json", /("checksum":")\w/, "$1-"), /0001_\w+\.sql has changed since/)
      yield* changed(
        replacing("turma.json", /("migrations":\[)/, "$1{\"id\":9999,\"name\":\"later\",\"checksum\":\"x\"},"),
        /newer version|its file is gone/
      )
      // PostgreSQL evaluates expressions in the bounds of a partition.
      yield* changed(
        replacing("turma.json", /(FOR VALUES FROM \()('[^']+')/, "$1lower($2)::uuid"),
        /a partition that is none of Turma's: webhook_\w+$/
      )
      yield* changed(
        replacing("turma.json", /("partitions":\[\{"name":")/, "$1clubs_or_"),
        /a partition that is none of Turma's: clubs_or_webhook_\w+$/
      )
      yield* changed(
        replacing(
          "manifest.json",
          /("sequences":\[)/,
          "$1{\"name\":\"others\",\"last_value\":\"1\",\"is_called\":true},"
        ),
        /a sequence that is none of Turma's: others$/
      )
      yield* changed(without("turma.json"), /no backup of Turma/)
      yield* changed(without("manifest.json"), /is not whole/)
      yield* changed(without("database/point_entries"), /the rows of point_entries are not whole/)
      yield* changed(replacing("database/clubs", /Viol/, "Veol"), /the rows of clubs are not whole/)
      yield* changed(without("files/uploads"), /the files are not those/)
      yield* changed((name, text) => name === file ? "other" : text, /the files are not those/)
      yield* changed(
        (name, text) => name === "manifest.json" ? text.replaceAll(/"rows":\d+/g, "\"rows\":0") : text,
        /are not whole/
      )
    }), timeout)

  it.effect("is refused by a database or a folder with anything in it", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const from = yield* source
      yield* from.make
      const full = yield* installation(from.url)
      assert.match((yield* Effect.flip(as(restoreOf(from.archive), full.env))).message, /has tables already/)
      assert.deepStrictEqual(yield* fs.readDirectory(full.env.DATA_DIR), [])
      const target = yield* installation(yield* emptyDatabaseUrl)
      yield* fs.makeDirectory(`${target.env.DATA_DIR}/files`, { recursive: true })
      assert.match((yield* Effect.flip(as(restoreOf(from.archive), target.env))).message, /files is there already/)
      assert.deepStrictEqual(yield* fs.readDirectory(target.env.DATA_DIR), ["files"])
    }), timeout)

  it.effect("is not made of nothing", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const empty = yield* installation(yield* emptyDatabaseUrl)
      const none = yield* Effect.flip(as(backupTo(`${empty.folder}/a`), empty.env))
      assert.match(none.message, /no database of Turma to back up/)
      const { DATA_DIR } = empty.env
      assert.match((yield* Effect.flip(as(backupTo(`${empty.folder}/a`), { DATA_DIR }))).message, /no database under/)
      assert.deepStrictEqual(yield* fs.readDirectory(empty.folder), [])
    }), timeout)
})
