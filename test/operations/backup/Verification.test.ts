import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, FileSystem, Layer, Logger, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { backup } from "../../../src/operations/backup/Backup.ts"
import { BackupRuns } from "../../../src/operations/backup/BackupRuns.ts"
import { backUpIfDue } from "../../../src/operations/backup/BackupWorker.ts"
import { fileDestination, fileSource, folderPlace } from "../../../src/operations/backup/place/FolderPlace.ts"
import { restore } from "../../../src/operations/backup/Restore.ts"
import { verify } from "../../../src/operations/backup/Verification.ts"
import { ClockGuard } from "../../../src/platform/jobs/ClockGuard.ts"
import { askedClock, DatabaseTime } from "../../../src/platform/sql/DatabaseTime.ts"
import { keysOfText, Sealing } from "../../../src/platform/sql/Sealing.ts"
import { makeClub } from "../../harness/Makers.ts"
import { emptyDatabaseUrl } from "../../harness/Postgres.ts"
import { makeEndpoint } from "../../harness/Webhooks.ts"
import { as, contentOf, type Installation, installation, key, source, sqlOf } from "./Installation.ts"
import { rewritten } from "./Rewritten.ts"

// Takes long: each verification makes a server and a whole schema.
const timeout = 600_000

const TestLayer = Layer.mergeAll(NodeServices.layer, SecureRandom.layerWebCrypto)

/** An endpoint with a secret that this key seals. */
const sealSecret = Effect.fnUntraced(function*(text: string) {
  const [own] = Option.getOrThrow(keysOfText(text))
  const club = yield* makeClub()
  yield* Effect.provide(makeEndpoint(club), Sealing.layerKeys(own))
})

const verifying = (own: Installation, archive: string, more: Record<string, string> = {}) =>
  as(verify({ source: fileSource(archive) }), { ...own.env, ...more })

const nothingLeft = Effect.fnUntraced(function*({ env }: Installation) {
  const fs = yield* FileSystem.FileSystem
  assert.deepStrictEqual(yield* fs.readDirectory(`${env.DATA_DIR}/verifying`), [])
})

layer(TestLayer, { excludeTestServices: true })("A backup that is verified", (it) => {
  it.effect(
    "is restored into a database that is gone afterwards, and refused unless it is the same and its key opens",
    () =>
      Effect.gen(function*() {
        const from = yield* source
        yield* Effect.provide(sealSecret(key), sqlOf(from))
        yield* from.make
        const { manifest, secrets } = yield* verifying(from, from.archive)
        assert.strictEqual(secrets, 1)
        assert.strictEqual(manifest.files.count, 2)
        yield* nothingLeft(from)

        const broken = yield* rewritten(from.archive, (name, text) => name === "files/kept/club/a" ? "bytez" : text)
        assert.match((yield* Effect.flip(verifying(from, broken))).message, /the files are not those/)
        const otherKey = { APP_SECRET_KEY: Buffer.alloc(32, 9).toString("base64") }
        assert.match(
          (yield* Effect.flip(verifying(from, from.archive, otherKey))).message,
          /the key does not open what is sealed/
        )
        yield* nothingLeft(from)
      }),
    timeout
  )

  it.effect(
    "is restored by its passphrase alone where it is sealed",
    () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const from = yield* source
        const passphrase = Redacted.make("vogal consoante vogal")
        const keyFile = `${from.folder}/key`
        // The settings name the key, so there is no key to write.
        const named = as(
          Effect.flatMap(fileDestination(`${from.folder}/b`), (destination) => backup({ destination, keyTo: keyFile })),
          from.env
        )
        assert.match((yield* Effect.flip(named)).message, /the key is APP_SECRET_KEY, .* leave --key out$/)
        const sealed = `${from.folder}/sealed`
        yield* as(
          Effect.flatMap(fileDestination(sealed), (destination) => backup({ destination, passphrase })),
          from.env
        )
        const target = yield* installation(yield* emptyDatabaseUrl)
        const wrong = restore({ source: fileSource(sealed), passphrase: Redacted.make("vogal consoante outra") })
        assert.match(
          (yield* Effect.flip(as(wrong, target.env))).message,
          /is not the passphrase that it was sealed with$/
        )
        const { header, manifest } = yield* from.make
        const plain = { source: fileSource(from.archive), passphrase }
        for (const refused of [Effect.asVoid(restore(plain)), Effect.asVoid(verify(plain))]) {
          assert.match(
            (yield* Effect.flip(as(refused, target.env))).message,
            /is not sealed, though BACKUP_PASSPHRASE is set: --unsealed takes it all the same$/
          )
        }
        const other = { header, manifest: { ...manifest, sequences: [] } }
        assert.match(
          (yield* Effect.flip(as(verify({ ...plain, takesUnsealed: true, made: other }), from.env))).message,
          /^it is another one than the one that was made$/
        )
        yield* as(restore({ source: fileSource(sealed), passphrase }), target.env)
        const [was, is] = yield* Effect.all([from, target].map((each) => Effect.provide(contentOf, sqlOf(each))))
        for (const [what, lines] of was ?? []) assert.deepStrictEqual(is?.get(what), lines, what)
        assert.isFalse(yield* fs.exists(keyFile))
      }),
    timeout
  )
})

layer(TestLayer, { excludeTestServices: true })("A backup of an earlier version", (it) => {
  it.effect("is restored as it was", () =>
    Effect.gen(function*() {
      const own = yield* installation(yield* emptyDatabaseUrl)
      const released = new URL("released/0.2.0.turma", import.meta.url).pathname
      const { header, manifest } = yield* verifying(own, released)
      assert.strictEqual(header.turma, "0.2.0")
      assert.strictEqual(manifest.tables.find(({ name }) => name === "sign_ups")?.rows, 1)
    }), timeout)
})

/** The causes of failures in the log. */
const failures: Array<string> = []
const LogLayer = Logger.layer([
  Logger.make(({ cause }) => {
    if (cause.reasons.length > 0) failures.push(Cause.pretty(cause))
  })
])
const WorkerLayer = Layer.merge(TestLayer, LogLayer)

layer(WorkerLayer, { excludeTestServices: true })("Backups on a schedule", (it) => {
  it.effect(
    "are made by one of any number of workers, verified, and then the older ones go",
    () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const from = yield* source
        const folder = `${from.folder}/backups`
        const place = yield* folderPlace(folder)
        const worker = Layer.mergeAll(BackupRuns.layer, ClockGuard.layer).pipe(
          Layer.provideMerge(Layer.succeed(DatabaseTime, { ...askedClock, isOurs: false })),
          Layer.provideMerge(sqlOf(from))
        )
        const plan = { place, every: "1 hour", keep: 2, passphrase: undefined } as const
        const look = as(Effect.provide(backUpIfDue(plan), worker), from.env)
        const state = Effect.provide(Effect.flatMap(BackupRuns, (runs) => runs.state), worker)
        yield* fs.makeDirectory(folder)
        yield* fs.writeFileString(`${folder}/notes.txt`, "mine")

        yield* Effect.all([look, look], { concurrency: 2 })
        const [first] = yield* place.list
        assert.strictEqual((yield* place.list).length, 1)
        const after = yield* state
        assert.isTrue(Option.isSome(after.verified_at))
        assert.strictEqual(after.bytes, first?.bytes)
        // The next backup is not due yet.
        yield* look
        assert.strictEqual((yield* place.list).length, 1)

        const sooner = Effect.provide(
          Effect.flatMap(
            SqlClient.SqlClient,
            (sql) => sql`update backup_runs set began_at = began_at - interval '2 hours', retry_at = null`
          ),
          sqlOf(from)
        )
        const again = Effect.andThen(sooner, look)
        yield* Effect.andThen(again, again)
        const names = (yield* place.list).map(({ name }) => name)
        assert.strictEqual(names.length, 2)
        assert.notInclude(names, first?.name)
        assert.isTrue(yield* fs.exists(`${folder}/notes.txt`))

        // A bad backup stays, and so do those before it.
        const spoiled = { ...place, source: () => fileSource(`${folder}/notes.txt`) }
        yield* sooner
        yield* as(Effect.provide(backUpIfDue({ ...plan, place: spoiled }), worker), from.env)
        assert.strictEqual((yield* place.list).length, 3)
        const failed = yield* state
        assert.strictEqual(failed.failures, 1)
        assert.match(failures.join(), /was made, but is not good: .*\. It stays, and so do older ones/)
        assert.isFalse(failed.running)
        // It waits before the next attempt.
        yield* look
        assert.strictEqual((yield* place.list).length, 3)

        // The verification detects an older archive in its place.
        const older = { ...place, source: () => place.source(names[0] ?? "") }
        yield* Effect.andThen(Effect.sleep("1100 millis"), sooner)
        yield* as(Effect.provide(backUpIfDue({ ...plan, place: older }), worker), from.env)
        assert.strictEqual((yield* state).failures, 2)
        const bad = (yield* place.list).filter(({ isVerified }) => !isVerified).map(({ name }) => name)
        assert.strictEqual(bad.length, 2)

        // The next good backup replaces the oldest good one and the older bad one. Bad ones do not count.
        yield* Effect.andThen(Effect.sleep("1100 millis"), again)
        assert.strictEqual((yield* state).failures, 0)
        const left = yield* place.list
        assert.deepStrictEqual(left.slice(0, 2), [
          { ...left[0], name: names[1], isVerified: true },
          { ...left[1], name: bad[1], isVerified: false }
        ])
        assert.deepStrictEqual(left.slice(2).map(({ isVerified }) => isVerified), [true])
      }),
    timeout
  )
})
