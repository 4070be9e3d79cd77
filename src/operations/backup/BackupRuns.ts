import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type SqlError } from "effect/sql"
import { backOff } from "../../platform/jobs/BackOff.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { PooledRandomLayer } from "../../platform/sql/PooledRandom.ts"
import { one, rows } from "../../platform/sql/Rows.ts"

/** How long a claim holds unless it is extended. After that another worker begins the run of a killed process again. */
export const lease = Duration.minutes(10)

/** Whose the run is. */
export const Claim = Schema.String.pipe(Schema.brand("BackupClaim"))
export type Claim = typeof Claim.Type

const OptionalInstant = Schema.OptionFromNullOr(Instant)

/** How the backups that workers make stand. */
export const RunState = Schema.Struct({
  /** When the last that was verified began, and when it had been verified. */
  began_at: OptionalInstant,
  verified_at: OptionalInstant,
  bytes: Schema.Number,
  seconds: Schema.Number,
  /** Since then. */
  failures: Schema.Int,
  running: Schema.Boolean
})
export type RunState = typeof RunState.Type

/** The result of a run. */
export interface Verified {
  readonly began_at: DateTime.Utc
  readonly bytes: number
  readonly took: Duration.Duration
}

/** Which worker makes the next backup, and how the last was. Everything is a compare-and-set on one row. */
export class BackupRuns extends Context.Service<BackupRuns, {
  readonly state: Effect.Effect<RunState>
  /** Takes the next run where it is due, which it is `every` after the last began, and nobody has it. */
  claim(every: Duration.Duration): Effect.Effect<Option.Option<Claim>>
  /** Extends the claim; false where it is another's by now. */
  extend(claim: Claim): Effect.Effect<boolean, SqlError.SqlError>
  /** Ends the run: there is a new backup. */
  succeed(claim: Claim, run: Verified): Effect.Effect<void>
  /** Ends the run. It is tried again after 10 minutes, doubling, and at the latest when the next run is due. */
  fail(claim: Claim, every: Duration.Duration): Effect.Effect<void>
  /** Ends the run as if it had never begun. */
  release(claim: Claim): Effect.Effect<void>
}>()("turma/operations/backup/BackupRuns") {
  static readonly layer = Layer.effect(
    BackupRuns,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const decodeState = one(RunState)
      const decodeClaims = rows(Schema.Struct({ claim: Claim }))
      const decodeFailures = rows(Schema.Struct({ failures: Schema.Int }))
      const plus = (at: DateTime.Utc, duration: Duration.Duration) =>
        DateTime.toDateUtc(DateTime.addDuration(at, duration))

      const state = Effect.gen(function*() {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        return yield* sql`
          select began_at, verified_at, bytes::float8 as bytes, seconds, failures,
            coalesce(claimed_until > ${now}, false) as running
          from backup_runs`.pipe(decodeState)
      })

      const claim = Effect.fn("BackupRuns.claim")(function*(every: Duration.Duration) {
        const now = yield* DateTime.now
        const at = DateTime.toDateUtc(now)
        const dueIfBefore = DateTime.toDateUtc(DateTime.subtractDuration(now, every))
        const own = yield* Effect.orDie(random.uuidV4())
        const taken = yield* sql`
          update backup_runs set claim = ${own}, claimed_until = ${plus(now, lease)}
          where (claimed_until is null or claimed_until <= ${at})
            and (began_at is null or began_at <= ${dueIfBefore})
            and (retry_at is null or retry_at <= ${at})
          returning claim`.pipe(decodeClaims)
        return Option.map(Option.fromNullishOr(taken[0]), ({ claim }) => claim)
      })

      const extend = Effect.fnUntraced(function*(claim: Claim) {
        const now = yield* DateTime.now
        const extended = yield* sql`
          update backup_runs set claimed_until = ${plus(now, lease)} where claim = ${claim} returning claim`
        return extended.length > 0
      })

      const succeed = Effect.fn("BackupRuns.succeed")(function*(claim: Claim, { began_at, bytes, took }: Verified) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        yield* sql`
          update backup_runs set claim = null, claimed_until = null, began_at = ${DateTime.toDateUtc(began_at)},
            verified_at = ${now}, bytes = ${bytes}, seconds = ${Duration.toSeconds(took)}, failures = 0, retry_at = null
          where claim = ${claim}`
      }, Effect.orDie)

      const fail = Effect.fn("BackupRuns.fail")(
        function*(claim: Claim, every: Duration.Duration) {
          const counted = yield* sql`
          update backup_runs set claim = null, claimed_until = null, failures = failures + 1
          where claim = ${claim} returning failures`.pipe(decodeFailures)
          const failures = counted[0]?.failures
          if (failures === undefined) return
          const wait = backOff({ first: Duration.min(Duration.minutes(10), every), longest: every })(failures)
          const now = yield* DateTime.now
          yield* sql`update backup_runs set retry_at = ${plus(now, wait)} where failures = ${failures}`
        },
        sql.withTransaction,
        Effect.orDie
      )

      const release = Effect.fn("BackupRuns.release")(function*(claim: Claim) {
        yield* sql`update backup_runs set claim = null, claimed_until = null where claim = ${claim}`
      }, Effect.orDie)

      return BackupRuns.of({ state, claim, extend, succeed, fail, release })
    })
  ).pipe(Layer.provide(PooledRandomLayer))
}
