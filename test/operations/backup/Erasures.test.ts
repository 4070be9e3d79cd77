import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, DateTime, Effect, FileSystem, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { refuse } from "../../../src/operations/backup/archive/BackupError.ts"
import { deleteOldErasures, readErasures, writeErasures } from "../../../src/operations/backup/erasures/ErasureFiles.ts"
import { keepErasures } from "../../../src/operations/backup/erasures/ErasureKeeper.ts"
import { backupName, erasuresName } from "../../../src/operations/backup/place/BackupName.ts"
import { configuredPlace } from "../../../src/operations/backup/place/BackupSettings.ts"
import { folderPlace } from "../../../src/operations/backup/place/FolderPlace.ts"
import { at } from "../../harness/App.ts"
import { eventually } from "../../harness/Eventually.ts"
import { makeClub, makeStudent } from "../../harness/Makers.ts"
import { emptyDatabaseUrl, freshDatabaseUrl, PostgresLayer, postgresLayerAt } from "../../harness/Postgres.ts"
import { startS3 } from "../../harness/S3.ts"
import { startSmtp } from "../../harness/Smtp.ts"
import { ask, runTurma, startApi } from "../../harness/Turma.ts"
import { postgresFolder } from "../../harness/Watchdog.ts"
import { type Club, foundClub } from "../../survive/Club.ts"
import { key } from "./Installation.ts"

// Takes long: it starts the service before a backup, and again after each restore.

/** Makes the worker look every second instead of every minute. */
const preload = `--import=${new URL("hastyWorker.ts", import.meta.url)}`

const TestLayer = Layer.merge(NodeServices.layer, SecureRandom.layerWebCrypto)

const command = (env: Record<string, string>, ...words: ReadonlyArray<string>) =>
  Effect.tap(
    runTurma({ args: ["src/cli/main.ts", ...words], env }),
    ({ code, stderr }) => Effect.sync(() => assert.strictEqual(code, 0, stderr))
  )

const remove = ({ token, url }: Club, id: string) =>
  Effect.map(
    ask(`${url}/students/${id}`, { method: "DELETE", headers: { authorization: `Bearer ${token}` } }),
    ({ status }) => assert.strictEqual(status, 204)
  )

/** Asks this API about a student: true if they are anonymized, and their name. */
const isNobody = (api: string, { base, token }: Club, id: string) =>
  Effect.map(
    ask(`${api}${base}/students/${id}`, { headers: { authorization: `Bearer ${token}` } }),
    ({ json }) => [at(json, "data", "anonymized"), at(json, "data", "name")]
  )

const listsIn = (folder: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Effect.map(
      Effect.orElseSucceed(fs.readDirectory(folder), (): Array<string> => []),
      (names) => names.filter((name) => name.endsWith(".erasures.ndjson"))
    ))

layer(TestLayer, { excludeTestServices: true })(
  "People who were removed after a backup",
  (it) => {
    it.effect("are removed again by a restore, before it serves, and what cannot be read stops a restore", () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const smtp = yield* startSmtp()
        const folder = yield* postgresFolder()
        const common = { APP_SECRET_KEY: key, SMTP_URL: Redacted.value(smtp.url) }
        const sealed = { BACKUP_PASSPHRASE: "vogal consoante vogal" }
        const place = { ...sealed, BACKUP_URL: `${folder}/backups` }
        const url = yield* freshDatabaseUrl
        const env = { ...common, DATABASE_URL: Redacted.value(url), DATA_DIR: `${folder}/one` }
        // The worker makes no backup by itself, and would need a database server to verify it.
        yield* Effect.provide(
          Effect.all([SqlClient.SqlClient, DateTime.nowAsDate]).pipe(Effect.flatMap(([sql, now]) =>
            sql`update backup_runs set began_at = ${now}`
          )),
          postgresLayerAt(url, 1),
          { local: true }
        )
        const first = yield* startApi({ env: { ...env, ...place, NODE_OPTIONS: preload } })
        const club = yield* foundClub(first.url, smtp.received)
        yield* Effect.replicateEffect(club.add, 2)
        const [gone = "", stays = ""] = club.confirmed
        const made = yield* command({ ...env, ...place }, "backup")
        const name = /turma-[0-9a-f]{8}-\w+\.turma/.exec(made.stdout)?.[0] ?? assert.fail(made.stdout)
        yield* command(env, "backup", `${folder}/by-hand/`)
        const [byHand = ""] = yield* fs.readDirectory(`${folder}/by-hand`)
        yield* remove(club, gone)
        const [list = ""] = yield* eventually(
          Effect.delay(listsIn(place.BACKUP_URL), "100 millis"),
          ({ length }) => length > 0
        )
        yield* first.end("SIGKILL")
        assert.notInclude(yield* fs.readFileString(`${place.BACKUP_URL}/${list}`, "latin1"), gone)
        yield* command({ ...env, ...sealed }, "backups", "keep-removals", `${folder}/by-hand`)

        const targetIn = (DATA_DIR: string) =>
          Effect.map(emptyDatabaseUrl, (url) => ({ ...common, DATABASE_URL: Redacted.value(url), DATA_DIR }))
        const two = { ...yield* targetIn(`${folder}/two`), ...place }
        const restored = yield* command(two, "restore", name)
        assert.include(restored.stdout, "People who were removed since: 1. The next start removes them again")
        const second = yield* startApi({ env: two })
        assert.deepStrictEqual(yield* isNobody(second.url, club, gone), [true, "Anonymized"])
        assert.deepStrictEqual(yield* isNobody(second.url, club, stays), [false, "Ana"])

        const three = yield* targetIn(`${folder}/three`)
        const words = ["restore", `${folder}/by-hand/${byHand}`]
        const refused = yield* runTurma({ args: ["src/cli/main.ts", ...words], env: three })
        assert.strictEqual(refused.code, 1)
        assert.match(refused.stderr, /who was removed after the backup is not known: .*: .*--without-erasures restores/)
        const whole = yield* command(three, ...words, "--without-erasures")
        assert.notInclude(whole.stdout, "removed since")
        // As after a return of the database to a past moment by other tools.
        const said = yield* command({ ...three, ...sealed }, "backups", "remove-again", `${folder}/by-hand`)
        assert.include(said.stdout, "People who were removed since: 1.")
        const third = yield* startApi({ env: three })
        assert.deepStrictEqual(yield* isNobody(third.url, club, gone), [true, "Anonymized"])
      }))
  }
)

const series = "0a1b2c3d"
const long = DateTime.makeUnsafe(0)

/** A removed person, as the lists record them. */
const removed = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const club = yield* makeClub()
  const { id } = yield* makeStudent(club)
  const row = { club_id: club.id, student_id: id, erased_at: DateTime.toDateUtc(yield* DateTime.now) }
  yield* sql`insert into erased_students ${sql.insert(row)}`
  return { club_id: club.id, student_id: id }
})

const folderOf = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  return yield* folderPlace(yield* fs.makeTempDirectoryScoped({ prefix: "turma-test-" }))
})

layer(Layer.merge(TestLayer, PostgresLayer), { excludeTestServices: true })(
  "A list of removals",
  (it) => {
    it.effect("is written again where its writer died before it was noted, and then no more", () =>
      Effect.gen(function*() {
        const place = yield* folderOf
        const person = yield* removed
        const dying = { ...place, confirm: () => Effect.fail(refuse("gone")) }
        yield* Effect.flip(keepErasures({ place: dying }, Effect.succeed(series)))
        yield* keepErasures({ place }, Effect.succeed(series))
        assert.deepStrictEqual(yield* readErasures(place, series, long, {}), [person, person])
        yield* keepErasures({ place }, Effect.succeed(series))
        assert.strictEqual((yield* place.erasures).length, 2)
      }))

    it.effect("is one of its own for each machine that writes to a bucket, and none is lost", () =>
      Effect.gen(function*() {
        const s3 = yield* startS3
        const settings = ConfigProvider.layer(ConfigProvider.fromUnknown({ BACKUP_URL: s3.url }))
        const place = Option.getOrThrow(yield* Effect.provide(configuredPlace, settings))
        const people = yield* Effect.replicateEffect(removed, 4)
        yield* Effect.forEach(people, (person) => writeErasures({ place }, series, [person]), {
          concurrency: "unbounded"
        })
        yield* writeErasures({ place }, "ffffffff", people)
        assert.sameDeepMembers([...yield* readErasures(place, series, long, {})], people)
        assert.deepStrictEqual(yield* place.list, [])
      }))

    it.effect("goes with the last backup that needs it, a year later", () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const place = yield* folderOf
        const moment = (text: string) => DateTime.makeUnsafe(text)
        const names = [
          erasuresName(series, moment("2026-11-20T03:00:00Z"), "00000001"),
          backupName(series, moment("2026-11-27T03:00:00Z")),
          erasuresName(series, moment("2026-11-26T04:00:00Z"), "00000002"),
          erasuresName(series, moment("2026-11-28T03:00:00Z"), "00000003"),
          erasuresName("ffffffff", moment("2026-11-20T03:00:00Z"), "00000004")
        ]
        for (const name of names) yield* fs.writeFileString(`${place.name}/${name}`, "")
        yield* TestClock.setTime(moment("2027-11-20T00:00:00Z").epochMilliseconds)
        yield* deleteOldErasures(place, series)
        assert.sameMembers([...yield* fs.readDirectory(place.name)], names)
        yield* TestClock.adjust("4 days")
        yield* deleteOldErasures(place, series)
        assert.sameMembers([...yield* fs.readDirectory(place.name)], names.slice(1))
      }).pipe(Effect.provide(TestClock.layer())))
  }
)
