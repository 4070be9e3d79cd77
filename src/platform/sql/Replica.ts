import { type PgConnection, PgPool } from "@effect/sql-pg"
import { Clock, Context, Duration, Effect, Metric, Option, type Redacted, Schema } from "effect"
import type { SqlError } from "effect/sql"
import { abandonable, type Work } from "./AbandonablePool.ts"
import { type FoundBounds, foundBounds, missingBounds } from "./Bounds.ts"
import { cancellingWith } from "./Cancelling.ts"
import { groupCommit } from "./GroupCommit.ts"
import { firstLine } from "./Migrations.ts"
import type { ReadLane } from "./ReadLane.ts"
import { isTooLong } from "./SqlState.ts"

/**
 * True if reads outside of transactions may run at the replica. It is for lists and exports, which cost more than the
 * question how far the replica is. They see the same rows as at the primary.
 */
export const MayReadReplica = Context.Reference<boolean>("turma/platform/sql/MayReadReplica", {
  defaultValue: () => false
})

/**
 * The position up to which the primary has committed. Nobody sees a commit before it is on the disk, unless the server
 * is configured to answer earlier. Each promotion of a replica starts a new timeline.
 */
const position = `
  select
    case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end
      ::text as position,
    ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline`

const system =
  "select (select system_identifier from pg_control_system())::text as system, current_database() as database"

/**
 * The identity of the replica. Its control file shows a new timeline late; a role that may read the receiver sees it at
 * once.
 */
const identity = `
  select (select system_identifier from pg_control_system())::text as system, current_database() as database,
    pg_is_in_recovery() as is_replica,
    greatest((select timeline_id from pg_control_checkpoint()), (select received_tli from pg_stat_wal_receiver)) as timeline,
    ${foundBounds}`

/** Asked before the read, and not within it: a statement sees what was there when it began. */
const distance = `
  select pg_is_in_recovery() as is_replica,
    pg_wal_lsn_diff($1::text::pg_lsn, pg_last_wal_replay_lsn())::float8 as behind`

const Position = Schema.Struct({ position: Schema.String, timeline: Schema.Int })
type Position = typeof Position.Type
const System = Schema.Struct({ system: Schema.String, database: Schema.String })
const Identity = Schema.Struct({
  ...System.fields,
  is_replica: Schema.Boolean,
  timeline: Schema.Int,
  lock_timeout: Schema.Int,
  idle_in_transaction_session_timeout: Schema.Int
})
const Distance = Schema.Struct({ is_replica: Schema.Boolean, behind: Schema.NullOr(Schema.Number) })

/** Why a read does not run at the replica. `rests`: no other is tried there for a moment. */
class Unusable extends Schema.TaggedError<Unusable>()("Unusable", { why: Schema.String, rests: Schema.Boolean }) {}

const unusable = (why: string) => new Unusable({ why, rests: true })

/** No fault of the replica, and nothing to wait for. */
const busy = new Unusable({ why: "each of its connections for scans has one", rests: false })

const notReached = ({ reason }: SqlError.SqlError) => unusable(`it cannot be asked: ${firstLine(reason)}`)

const reads = Metric.counter("turma_replica_reads_total", {
  description: "Reads of lists and exports, by where they ran",
  incremental: true
})
const readsAt = {
  replica: Metric.withAttributes(reads, { at: "replica" }),
  primary: Metric.withAttributes(reads, { at: "primary" })
}
const lag = Metric.gauge("turma_replica_behind_bytes", {
  description: "How much of the log the replica had still to replay of what was committed when a read came"
})

/** For so long a read waits for the replica to get there; it is seldom further behind than the way to it is long. */
const patience = { read: Duration.millis(100), check: Duration.seconds(1), work: Duration.seconds(10) }

/** How often it is asked meanwhile. */
const askEvery = Duration.millis(5)

/** Milliseconds. For so long nothing is tried at a replica that was of no use. */
const rest = 1_000

/** The lanes of reads that a replica has. */
type ReplicaLane = Exclude<ReadLane, "lookup">

/** A replica of the database. */
export interface Replica {
  /** Runs a read at the replica if that has all that is committed by now, otherwise at the primary. */
  read<A>(
    work: Work<A>,
    atPrimary: Effect.Effect<A, SqlError.SqlError>,
    lane: ReplicaLane
  ): Effect.Effect<A, SqlError.SqlError>
  /** Why it cannot serve reads at this moment, in words; `None` while it can. */
  readonly fault: Effect.Effect<Option.Option<string>>
  readonly abandon: () => void
}

type Asking = <A>(work: Work<A>) => Effect.Effect<A, SqlError.SqlError>

interface ReplicaOptions {
  readonly url: Redacted.Redacted
  /** The configuration and number of the connections of each lane. */
  readonly pools: Record<ReplicaLane, Omit<PgPool.Config, "url"> & { readonly multiplexConcurrency: number }>
  readonly connections: Record<ReplicaLane, number>
  readonly askPrimary: Asking
}

const ask = <A>(row: Schema.Codec<A, unknown>, text: string, params: ReadonlyArray<unknown> = []): Work<A> => {
  const decode = Schema.decodeUnknownEffect(row)
  return (connection) => Effect.flatMap(connection.query(text, params), ({ rows }) => Effect.orDie(decode(rows[0])))
}

/**
 * How far both are is asked of both for every read, so no process knows anything that another would have to know. Reads that
 * come while the primary is asked are the next question's, together.
 */
export const makeReplica = Effect.fnUntraced(function*({ askPrimary, connections, pools, url }: ReplicaOptions) {
  const clock = yield* Clock.Clock
  const poolOf = (lane: ReplicaLane, maxConnections: number) =>
    Effect.map(
      PgPool.make({ url, ...pools[lane], maxConnections }),
      (pool) => abandonable(pool, maxConnections * pools[lane].multiplexConcurrency, clock)
    )
  const onePool = poolOf("shared", 1)
  const shared = [yield* onePool, ...yield* Effect.replicateEffect(onePool, connections.shared - 1)] as const
  const scans = yield* poolOf("scan", connections.scan)
  const cancelling = cancellingWith(clock, scans.invalidate)
  /** The timeline of the server at the other end, for connections whose other end is the right one. */
  const timelines = new WeakMap<PgConnection.PgConnection, number>()
  let turn = 0
  let restsUntil = 0
  let isUsed = true

  const committed = groupCommit<null, Option.Option<Position>>({
    limit: Number.MAX_SAFE_INTEGER,
    run: (items) => Effect.map(Effect.option(askPrimary(ask(Position, position))), (answer) => items.map(() => answer))
  })

  const identify = Effect.fnUntraced(function*(connection: PgConnection.PgConnection) {
    const own = yield* Effect.mapError(askPrimary(ask(System, system)), notReached)
    const found = yield* Effect.mapError(ask(Identity, identity)(connection), notReached)
    if (found.system !== own.system || found.database !== own.database) {
      return yield* unusable("it is of another database")
    }
    if (!found.is_replica) return yield* unusable("it is no replica, or was promoted")
    const missing = missingBounds(found satisfies FoundBounds)
    if (missing.length > 0) return yield* unusable(`a pooler before it keeps ${missing.join(" and ")} from it`)
    timelines.set(connection, found.timeline)
    return found.timeline
  })

  const requireTimeline = Effect.fnUntraced(function*(connection: PgConnection.PgConnection, timeline: number) {
    if (timelines.get(connection) === timeline) return
    const found = yield* identify(connection)
    if (found !== timeline) {
      return yield* unusable(`it follows another server: its timeline is ${found}, the database's ${timeline}`)
    }
  })

  /** Ends once it has replayed what the primary had. */
  const reach = Effect.fnUntraced(function*(connection: PgConnection.PgConnection, at: Position, until: number) {
    yield* requireTimeline(connection, at.timeline)
    while (true) {
      const asked = ask(Distance, distance, [at.position])(connection)
      const { behind, is_replica } = yield* Effect.mapError(asked, notReached)
      if (!is_replica) return yield* unusable("it was promoted")
      yield* Metric.update(lag, Math.max(0, behind ?? 0))
      if (behind !== null && behind <= 0) return
      if (clock.currentTimeMillisUnsafe() >= until) {
        return yield* unusable(behind === null
          ? "it has replayed nothing yet"
          : `it is ${behind} bytes of the log behind`)
      }
      yield* Effect.sleep(askEvery)
    }
  })

  /** A connection at whose other end all is that is committed by now, until the scope closes. */
  const ready = Effect.fnUntraced(function*(limit: Duration.Duration, lane: ReplicaLane) {
    const at = yield* committed(null)
    if (Option.isNone(at)) return yield* unusable("the database does not say what is committed")
    const lender = lane === "scan" ? scans : shared[turn++ % shared.length] ?? shared[0]
    const until = clock.currentTimeMillisUnsafe() + Duration.toMillis(limit)
    const found = Effect.gen(function*() {
      if (lane === "scan" && scans.busy() >= scans.places) return yield* busy
      const connection = yield* Effect.mapError(lender.lease, notReached)
      yield* reach(connection, at.value, until)
      return { connection, lender }
    })
    return yield* Effect.timeoutOrElse(found, {
      duration: Duration.sum(limit, limit),
      orElse: () => Effect.fail(unusable("it does not answer"))
    })
  })

  const tell = (fault: string | undefined) =>
    Effect.suspend(() => {
      const was = isUsed
      isUsed = fault === undefined
      if (was === isUsed) return Effect.void
      return fault === undefined
        ? Effect.logInfo("Lists and exports are read at the replica again")
        : Effect.logWarning(`DATABASE_READ_URL: lists and exports are read at the database: ${fault}`)
    })

  /**
   * `None` if the replica cannot serve the read. After any failure there the read goes to the primary, unless it took
   * too long: it would take as long there.
   */
  const tryThere = <A>(work: Work<A>, lane: ReplicaLane): Effect.Effect<Option.Option<A>, SqlError.SqlError> =>
    Effect.scoped(Effect.gen(function*() {
      const { connection, lender } = yield* ready(patience.read, lane)
      yield* tell(undefined)
      const run = lane === "scan" ? cancelling(connection, work(connection)) : work(connection)
      return yield* Effect.timeoutOption(run, patience.work).pipe(Effect.tap((done) =>
        Option.isNone(done) ? lender.invalidate(connection) : Effect.void
      ))
    })).pipe(
      Effect.catchTags({
        SqlError: (error) => isTooLong(error) ? Effect.fail(error) : Effect.succeedNone,
        Unusable: ({ rests, why }) => {
          if (!rests) return Effect.succeedNone
          restsUntil = clock.currentTimeMillisUnsafe() + rest
          return Effect.as(tell(why), Option.none<A>())
        }
      }),
      Effect.provideService(Clock.Clock, clock)
    )

  return {
    read: (work, atPrimary, lane) =>
      Effect.suspend(() => {
        const there = clock.currentTimeMillisUnsafe() < restsUntil ? Effect.succeedNone : tryThere(work, lane)
        return Effect.flatMap(there, (done) =>
          Option.isSome(done)
            ? Effect.as(Metric.update(readsAt.replica, 1), done.value)
            : Effect.andThen(Metric.update(readsAt.primary, 1), atPrimary))
      }),
    fault: Effect.scoped(ready(patience.check, "shared")).pipe(
      Effect.match({ onSuccess: () => Option.none<string>(), onFailure: ({ why }) => Option.some(why) }),
      Effect.provideService(Clock.Clock, clock)
    ),
    abandon: () => {
      for (const pool of [...shared, scans]) pool.abandon()
    }
  } satisfies Replica
})
