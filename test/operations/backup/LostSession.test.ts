import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { BackupRuns } from "../../../src/operations/backup/BackupRuns.ts"
import { lookForBackup } from "../../../src/operations/backup/BackupWorker.ts"
import { openSession } from "../../../src/operations/backup/DatabaseDump.ts"
import { folderPlace } from "../../../src/operations/backup/place/FolderPlace.ts"
import { ClockGuard } from "../../../src/platform/jobs/ClockGuard.ts"
import { askedClock, DatabaseTime } from "../../../src/platform/sql/DatabaseTime.ts"
import { freshDatabaseUrl } from "../../harness/Postgres.ts"
import { losePackets } from "../../survive/LostPackets.ts"
import { startWay } from "../../survive/Way.ts"
import { figures } from "./Figures.ts"
import { as, linesOf, source, sqlOf } from "./Installation.ts"

// Takes long: in real time, it waits for lost sessions.

/** The address of the same database, through a proxy that the test can silence. */
const throughWay = Effect.fnUntraced(function*(direct: Redacted.Redacted) {
  const url = new URL(Redacted.value(direct))
  const way = yield* startWay(Number(url.port))
  url.hostname = "127.0.0.1"
  url.port = `${way.port}`
  return { way, url: url.href }
})

/** The backends of dumps in the middle of a table. */
const dumping = `
  select pid::text as line from pg_stat_activity
  where datname = current_database() and application_name = 'turma backup'
    and (query like 'declare dumped%' or query like 'fetch forward%')`

layer(Layer.merge(NodeServices.layer, SecureRandom.layerWebCrypto), { concurrent: true, excludeTestServices: true })(
  "A backup whose database vanishes while an answer is awaited",
  (it) => {
    it.effect("fails, is counted, and the next one is made; how backups stand is shown meanwhile", () =>
      Effect.gen(function*() {
        const own = yield* source
        const { url, way } = yield* throughWay(own.url)
        const direct = sqlOf(own)
        const place = yield* folderPlace(`${own.folder}/backups`)
        const plan = { place, every: "12 hours", keep: 2, passphrase: undefined } as const
        const worker = Layer.mergeAll(BackupRuns.layer, ClockGuard.layer).pipe(
          Layer.provideMerge(Layer.succeed(DatabaseTime, { ...askedClock, isOurs: false })),
          Layer.provideMerge(direct)
        )
        const look = as(Effect.provide(lookForBackup(plan), worker), { ...own.env, DATABASE_URL: url })

        yield* way.delay(100)
        const run = yield* Effect.forkChild(look)
        const [pid = ""] = yield* linesOf(dumping).pipe(
          Effect.delay("10 millis"),
          Effect.repeat({ until: (found) => found.length > 0 }),
          Effect.provide(direct)
        )
        assert.deepInclude(yield* figures, { last_success_timestamp_seconds: 0, failures: 0, every_seconds: 43_200 })
        // Open connections hear nothing, as from a lost primary. New connections get answers.
        yield* way.lose
        yield* Effect.provide(linesOf(`select pg_terminate_backend(${pid})::text as line`), direct)
        yield* way.delay(0)
        yield* Fiber.join(run)
        assert.deepInclude(yield* figures, { last_success_timestamp_seconds: 0, failures: 1 })
        assert.deepStrictEqual(yield* place.list, [])

        yield* Effect.provide(SqlClient.SqlClient.use((sql) => sql`update backup_runs set retry_at = null`), direct)
        yield* look
        assert.deepInclude(yield* figures, { failures: 0 })
        assert.deepStrictEqual((yield* place.list).map(({ isVerified }) => isVerified), [true])
      }))

    it.effect("is told so by its own machine where nobody else is there to ask", (context) =>
      Effect.gen(function*() {
        const { url, way } = yield* throughWay(yield* freshDatabaseUrl)
        const session = yield* openSession(Redacted.make(url))
        const asked = yield* Effect.forkChild(Effect.flip(session.query("select pg_sleep(600)")))
        yield* Effect.sleep("1 second")
        const lost = yield* losePackets(way.port, 100)
        if (lost.refused !== undefined) return context.skip(lost.refused)
        assert.match((yield* Fiber.join(asked)).message, /^The database cannot be read: /)
      }))
  }
)
