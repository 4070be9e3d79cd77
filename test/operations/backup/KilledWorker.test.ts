import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { DateTime, type Duration, Effect, FileSystem, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { isBackupName } from "../../../src/operations/backup/place/BackupName.ts"
import { startTurma } from "../../harness/Turma.ts"
import { linesOf, source, sqlOf } from "./Installation.ts"

// Takes long: each worker is a real process, and each verification makes a server.
const preload = `--import=${new URL("hastyWorker.ts", import.meta.url)}`

const TestLayer = Layer.mergeAll(NodeServices.layer, SecureRandom.layerWebCrypto)

layer(TestLayer, { excludeTestServices: true })(
  "A worker that is killed while it makes a backup",
  (it) => {
    it.effect(
      "is followed by another once its lease is over, leaves no archive, and costs none that is good",
      () =>
        Effect.gen(function*() {
          const fs = yield* FileSystem.FileSystem
          const from = yield* source
          const { DATA_DIR } = from.env
          const folder = `${from.folder}/backups`
          // A large file, so that the test can kill a worker in the middle of a backup.
          const film = `${DATA_DIR}/files/kept/club/film`
          yield* fs.writeFile(film, randomBytes(96 * 1024 * 1024))
          const env = {
            ...from.env,
            ROLE: "worker",
            BACKUP_URL: folder,
            BACKUP_EVERY: "1 hour",
            BACKUP_KEEP: "2",
            NODE_OPTIONS: preload
          }
          const start = startTurma({ env })
          const names = Effect.orElseSucceed(fs.readDirectory(folder), () => [])
          const archives = Effect.map(names, (all) => all.filter(isBackupName).toSorted())
          const parts = Effect.map(names, (all) => all.filter((name) => name.endsWith(".part")))
          const until = <E, R>(check: Effect.Effect<boolean, E, R>, every: Duration.Input = "100 millis") =>
            Effect.repeat(Effect.delay(check, every), { until: (isSo) => isSo })
          const within = Effect.gen(function*() {
            const [part] = yield* parts
            if (part === undefined) return false
            const { size } = yield* fs.stat(`${folder}/${part}`)
            return size > 1024 * 1024
          })
          const database = yield* Layer.build(sqlOf(from))
          const change = (text: string) =>
            Effect.provide(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(text)), database)
          const read = (column: string) =>
            Effect.provide(
              Effect.map(linesOf(`select (${column})::text as line from backup_runs`), ([line]) => line),
              database
            )
          const dueAgain = change("update backup_runs set began_at = began_at - interval '2 hours', retry_at = null")

          const first = yield* start
          yield* until(within, "20 millis")
          yield* first.end("SIGKILL")
          yield* fs.remove(film)
          assert.deepStrictEqual(yield* archives, [])
          const [left = ""] = yield* parts
          assert.match(left, /\.turma\.part$/)

          // No other worker begins a backup before the killed worker's lease ends.
          const second = yield* start
          yield* Effect.sleep("5 seconds")
          assert.deepStrictEqual(yield* names, [left])
          assert.strictEqual(yield* read("claimed_until is not null"), "true")
          yield* change("update backup_runs set claimed_until = claimed_until - interval '10 minutes'")
          yield* until(Effect.map(read("verified_at is not null"), (line) => line === "true"))
          const [one = ""] = yield* archives
          assert.deepStrictEqual((yield* names).toSorted(), [left, one].toSorted())

          // The unfinished file is younger than a day, so it could still belong to another command.
          const old = DateTime.toDateUtc(DateTime.subtract(yield* DateTime.now, { hours: 25 }))
          yield* fs.utimes(`${folder}/${left}`, old, old)
          yield* dueAgain
          yield* until(Effect.map(archives, (all) => all.length === 2))
          yield* until(Effect.map(read("claim is null"), (line) => line === "true"))
          const good = yield* archives
          assert.deepStrictEqual((yield* names).toSorted(), good)
          yield* second.end()
        })
    )
  }
)
