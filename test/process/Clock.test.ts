import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer, Logger, Redacted, Schedule } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { connectionsLayer } from "../../src/platform/sql/Connections.ts"
import { embeddedPostgres } from "../../src/platform/sql/EmbeddedPostgres.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { Partitions } from "../../src/platform/sql/Partitions.ts"
import { Sealing } from "../../src/platform/sql/Sealing.ts"
import { bindingOfSecret, type EndpointId } from "../../src/webhooks/model/EndpointId.ts"
import { webhookTables } from "../../src/webhooks/model/WebhookTables.ts"
import { clockAhead, sweeperThatJumps } from "../harness/ClockAhead.ts"
import { makeClub, makeStudent, makeUser } from "../harness/Makers.ts"
import { freshDatabaseUrl } from "../harness/Postgres.ts"
import { ask, runTurma, startApi } from "../harness/Turma.ts"
import { postgresFolder } from "../harness/Watchdog.ts"
import { idAt, makeAttempt, makeDelivery, makeEndpoint } from "../webhooks/engine/retention/Rows.ts"

const APP_SECRET_KEY = Buffer.alloc(32, 7).toString("base64")

const SealingLayer = Sealing.layerKeys(Redacted.make(new Uint8Array(Buffer.from(APP_SECRET_KEY, "base64"))))
  .pipe(Layer.provide(SecureRandom.layerWebCrypto))

const onDatabase = (url: Redacted.Redacted) =>
  Partitions.layer.pipe(Layer.provideMerge(connectionsLayer({ url, connections: 4 })))

/** A session of an administrator and one of a student, with this end. */
const makeSessions = Effect.fnUntraced(function*(club: Parameters<typeof makeStudent>[0], expires: DateTime.Utc) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  const [created_at, expires_at] = [DateTime.toDateUtc(now), DateTime.toDateUtc(expires)]
  const times = { created_at, last_seen_at: created_at, expires_at }
  const [user, student] = [yield* makeUser(), yield* makeStudent(club)]
  yield* sql`insert into user_sessions ${
    sql.insert({ id: yield* idAt(now), token_hash: randomBytes(32), user_id: user.id, ...times })
  }`
  yield* sql`insert into student_sessions ${
    sql.insert({
      id: yield* idAt(now),
      token_hash: randomBytes(32),
      club_id: club.id,
      student_id: student.id,
      ...times
    })
  }`
})

/** Gives an endpoint a secret that the process can open. Otherwise its readiness would report a fault. */
const sealSecret = Effect.fnUntraced(function*(id: EndpointId) {
  const sql = yield* SqlClient.SqlClient
  const { seal } = yield* Sealing
  const secret = yield* seal(randomBytes(32), bindingOfSecret(id))
  yield* sql`update webhook_endpoints set secret = ${secret} where id = ${id}`
}, Effect.provide(SealingLayer))

/** A row of every kind that is an hour old or valid for ten days, and one of every kind past its age. */
const seed = Effect.gen(function*() {
  const now = yield* DateTime.now
  const old = DateTime.subtract(now, { days: 40 })
  yield* Effect.flatMap(Partitions, ({ ensure }) => ensure(webhookTables, DateTime.subtract(now, { days: 41 })))
  const endpoint = yield* makeEndpoint()
  yield* sealSecret(endpoint.endpoint_id)
  for (const at of [DateTime.subtract(now, { hours: 1 }), old]) {
    yield* makeAttempt(yield* makeDelivery(endpoint, at), at)
  }
  yield* makeSessions(endpoint.club, DateTime.add(now, { days: 10 }))
  yield* makeSessions(endpoint.club, DateTime.subtract(now, { hours: 1 }))
})

const kept = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select
      (select count(*)::int from webhook_messages where body is not null) as bodies,
      (select count(*)::int from webhook_attempts) as attempts,
      (select count(*)::int from webhook_deliveries where status = 'pending') as pending,
      (select count(*)::int from user_sessions) as administrators,
      (select count(*)::int from student_sessions) as students`
  return rows[0]
})

const times = (count: number) => ({
  bodies: count,
  attempts: count,
  pending: count,
  administrators: count,
  students: count
})

/** Every sweep of a starting worker that needs no claim. */
const swept = [
  "counts of mails",
  "counts of questions",
  "deleted endpoints",
  "files of uploads",
  "idempotency keys",
  "imports of students",
  "inbound events are kept",
  "invitations",
  "links and sign-ups",
  "pending deliveries",
  "processes that are gone",
  "receipts of removals",
  "sessions",
  "unused uploads of students",
  "webhook_attempts",
  "webhook_deliveries",
  "webhook_messages"
]

/** Waits until the worker has skipped each of them. */
const untilPassedOver = ({ said }: { readonly said: { readonly stdout: string } }) =>
  Effect.sync(() => swept.filter((what) => !said.stdout.includes(`"what":"${what}"`))).pipe(
    Effect.repeat({ until: ({ length }) => length === 0, schedule: Schedule.spaced("20 millis"), times: 3000 }),
    Effect.map((left) => assert.deepStrictEqual(left, [], said.stdout))
  )

const untilSwept = Effect.repeat(kept, {
  until: (rows) => JSON.stringify(rows) === JSON.stringify(times(1)),
  schedule: Schedule.spaced("50 millis")
})

const readiness = (url: string) => Effect.map(ask(`${url}/v1/health/ready`), ({ json }) => json)

const ready = (status: string, clock: string) => ({
  data: { status, checks: { database: "ok", limiter: "ok", queue: "ok", clock, seals: "ok" } }
})

/** Runs the work with the variables of a process, on a new database with these rows. */
const seeded = Effect.fnUntraced(function*<A, E, R>(
  work: (env: Record<string, string>) => Effect.Effect<A, E, R>
) {
  const url = yield* freshDatabaseUrl
  const env = { DATABASE_URL: Redacted.value(url), APP_SECRET_KEY, DATA_DIR: yield* postgresFolder() }
  yield* Effect.andThen(seed, work(env)).pipe(Effect.provide(onDatabase(url)))
})

const TestLayer = Layer.mergeAll(NodeServices.layer, SecureRandom.layerWebCrypto)

layer(TestLayer, { concurrent: true, excludeTestServices: true })(
  "A process whose clock is wrong",
  (it) => {
    it.effect(
      "by 40 days deletes, expires and ends nothing, and says so, at the start and after it has jumped, until it is right",
      () =>
        seeded(Effect.fnUntraced(function*(env) {
          const wrong = yield* startApi({ env: { ...env, ...clockAhead("40 days"), LOG_LEVEL: "debug" } })
          yield* untilPassedOver(wrong)
          assert.deepStrictEqual(yield* kept, times(2))
          assert.match(wrong.said.stdout, /"own":"[^"]+","database":"[^"]+"/)
          assert.deepStrictEqual(yield* readiness(wrong.url), ready("degraded", "failing"))
          assert.strictEqual((yield* wrong.end()).code, 0)
          assert.deepStrictEqual(yield* kept, times(2))

          const turma = yield* startApi({ env: { ...env, ...sweeperThatJumps("40 days"), LOG_LEVEL: "debug" } })
          yield* untilSwept
          assert.deepStrictEqual(yield* readiness(turma.url), ready("ready", "ok"))
          assert.notInclude(turma.said.stdout, "Not swept")

          yield* turma.kill("SIGUSR2")
          yield* turma.until(`The clock is ahead by ${Duration.toMillis("40 days")} ms`)
          yield* untilPassedOver(turma)
          assert.deepStrictEqual(yield* readiness(turma.url), ready("degraded", "failing"))
          assert.deepStrictEqual(yield* kept, times(1))

          yield* turma.kill("SIGUSR2")
          yield* turma.until("The clock is ahead by 0 ms")
          assert.deepStrictEqual(yield* readiness(turma.url), ready("ready", "ok"))
          assert.deepStrictEqual(yield* kept, times(1))
          // It sweeps again, but only rows past their age.
          yield* makeSessions(yield* makeClub(), DateTime.subtract(yield* DateTime.now, { hours: 1 }))
          yield* untilSwept
          const { code, stderr } = yield* turma.end()
          assert.deepStrictEqual([code, stderr], [0, ""])
        }))
    )

    it.effect(
      "or stood still for two days, on a database of its own, waits for `turma clock confirm`",
      () =>
        Effect.gen(function*() {
          const DATA_DIR = yield* postgresFolder()
          const url = yield* embeddedPostgres({ directory: `${DATA_DIR}/postgres`, settings: { fsync: "off" } })
          const confirm = runTurma({ args: ["src/cli/main.ts", "clock", "confirm"], env: { DATA_DIR } })
          yield* Effect.gen(function*() {
            yield* Effect.provide(migrate(), Logger.layer([]))
            const sql = yield* SqlClient.SqlClient
            assert.match(
              (yield* confirm).stdout,
              /^The clock says \S+ and nothing speaks against it: nothing was changed\.$/m
            )

            yield* seed
            const stopped = DateTime.subtract(yield* DateTime.now, { days: 2 })
            yield* sql`insert into clock_sweeps (swept_at) values (${DateTime.toDateUtc(stopped)})`
            const turma = yield* startApi({ env: { DATA_DIR, APP_SECRET_KEY, LOG_LEVEL: "debug" } })
            yield* untilPassedOver(turma)
            assert.include(turma.said.stdout, "npx turma clock confirm")
            assert.deepStrictEqual(yield* kept, times(2))
            assert.deepStrictEqual(yield* readiness(turma.url), ready("degraded", "failing"))

            const { code, stderr, stdout } = yield* confirm
            assert.deepStrictEqual([code, stderr], [0, ""])
            assert.match(
              stdout,
              new RegExp(`The clock says \\S+, and ${DateTime.formatIso(stopped)} was the newest moment`)
            )
            assert.deepStrictEqual(yield* readiness(turma.url), ready("ready", "ok"))
            assert.include((yield* confirm).stdout, "nothing was changed")
            yield* turma.end()
            yield* startApi({ env: { DATA_DIR, APP_SECRET_KEY } })
            yield* untilSwept
          }).pipe(Effect.provide(onDatabase(url)))
        })
    )

    it.effect("cannot be confirmed against the database's", () =>
      Effect.gen(function*() {
        const env = { DATABASE_URL: Redacted.value(yield* freshDatabaseUrl), ...clockAhead("40 days") }
        const { code, stderr } = yield* runTurma({ args: ["src/cli/main.ts", "clock", "confirm"], env })
        assert.strictEqual(code, 1)
        assert.match(stderr, /^turma: this machine's clock says \S+, the database's \S+: set the wrong one right/)
      }))
  }
)
