import { PgClient, type PgConnection, PgPool } from "@effect/sql-pg"
import {
  Clock,
  Context,
  Effect,
  Layer,
  Option,
  Predicate,
  type Queue,
  RcRef,
  type Redacted,
  Schedule,
  type Scope,
  Stream
} from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"
import { abandonable, type AbandonablePool, type Work } from "./AbandonablePool.ts"
import { beginLater, controls } from "./BeginLater.ts"
import { boundPerKey } from "./BoundPerKey.ts"
import { openingTime, startupBounds } from "./Bounds.ts"
import { cancellingWith } from "./Cancelling.ts"
import { directly, type Speaking } from "./DatabaseAddresses.ts"
import { knowingTexts } from "./KnownTexts.ts"
import { closeLostConnections } from "./LostConnections.ts"
import { type PoolLoad, PoolLoads } from "./PoolLoads.ts"
import { CurrentLane, scanLimit, ScansOf } from "./ReadLane.ts"
import { makeReadLanes, scanWith } from "./ReadLanes.ts"
import { makeReplica, MayReadReplica } from "./Replica.ts"
import { undoable, undoAll } from "./Undoing.ts"

const common = { applicationName: "turma" }

/**
 * Connections that short reads share. The server refuses writes and row locks there, should one ever be sent. Each
 * connection is a pool of its own, and a read goes to the one with the fewest reads. A pool of several fills its first
 * connection before it opens the next, so one process of the server would do all reads.
 */
const shared = {
  ...common,
  multiplex: true,
  multiplexConcurrency: 32,
  startupParameters: { ...startupBounds, default_transaction_read_only: "on" }
}

/** The connection of a scan alone: read-only too, and with a limit for each statement. */
const scanned = {
  ...shared,
  multiplexConcurrency: 1,
  startupParameters: { ...shared.startupParameters, statement_timeout: `${scanLimit}ms` }
}

/**
 * The connection of one statement, one transaction or one listener alone. Statements that a transaction issues together
 * are sent together: a round trip costs a process about as much as the statement itself.
 */
const exclusive = { ...common, multiplex: true, multiplexConcurrency: 1, startupParameters: startupBounds }

/**
 * The connection of one statement or transaction if a pooler lends connections of the server by the transaction. Its
 * start-up parameters would not reach the server. So reads share no connection that the server would have to keep
 * read-only.
 */
const pooled = { ...common, multiplex: true, multiplexConcurrency: 1 }

/** Number of connections for each purpose. Without `lookups`, they share with short reads. Without `scans`, they run like writes. */
interface Division {
  readonly lookups: number
  readonly shared: number
  readonly scans: number
  readonly exclusive: number
}

/** Few scans at a time, however many connections there are: each may keep a core of the server busy. */
const fewScans = (connections: number) => Math.min(4, Math.max(1, Math.floor(connections / 5)))

const divideReads = (connections: number, isPooled: boolean) => {
  if (isPooled) {
    const reads = Math.max(1, Math.floor(connections / 2))
    if (reads < 3) return { lookups: 0, shared: reads, scans: 0 }
    const scans = fewScans(reads)
    const lookups = Math.floor((reads - scans) / 2)
    return { lookups, shared: reads - scans - lookups, scans }
  }
  const lookups = connections < 5 ? 0 : 1
  return {
    lookups,
    shared: Math.max(1, Math.floor(connections / 5)),
    scans: connections < 8 ? 0 : fewScans(connections)
  }
}

/**
 * Of so many connections, how many are for what. Reads need few where they share: each takes 32 statements at a time. Of a
 * pooler's connections a read has one for itself, so half are for them.
 */
export const divide = (connections: number, isPooled = false): Division => {
  const reads = divideReads(connections, isPooled)
  return { ...reads, exclusive: Math.max(1, connections - reads.lookups - reads.shared - reads.scans) }
}

/**
 * The party that statements run for, by any text: a club's id, a session's. Statements of one party that may wait for
 * locks have at most half of the connections. So a club that holds up its own writes does not hold up others. Reads
 * have such bounds as well, in each lane.
 */
export const OnBehalfOf = Context.Reference<string | undefined>("turma/platform/sql/OnBehalfOf", {
  defaultValue: () => undefined
})

const begins = /^\s*(?:select|with|values|table|show)\b/
const mayWait = /\b(?:insert|update|delete|merge|share|into|nextval|setval|set_config|pg_notify)\b|advisory/

/**
 * True if a statement may share its connection. It has to begin as a read does and name nothing that writes or locks,
 * wherever in the text; if in doubt, it may not. An advisory lock is the only wait that the server does not refuse there.
 */
export const isSharedRead = (text: string): boolean => begins.test(text) && !mayWait.test(text)

const locks = /\bfor (?:(?:no key )?update|(?:key )?share)\b/g

/**
 * True if a statement only reads or locks rows: outside of its transaction it changes nothing, and locks nothing for
 * long.
 */
export const leavesNoTrace = (text: string): boolean => isSharedRead(text.replaceAll(locks, ""))

/**
 * Texts whose answer is kept. A text is looked at twice, which takes longer the longer it is; most are sent again and
 * again.
 */
const keptTexts = 1_000

const remember = (ask: (text: string) => boolean) => {
  const known = new Map<string, boolean>()
  return (text: string): boolean => {
    const before = known.get(text)
    if (before !== undefined) return before
    if (known.size >= keptTexts) known.clear()
    const answer = ask(text)
    known.set(text, answer)
    return answer
  }
}

/** Listens to PostgreSQL's `notify`. */
export class Notifications extends Context.Service<Notifications, {
  /**
   * The notifications of the channel from now on, until the scope closes. All listeners share one connection, which
   * nothing else uses.
   */
  listen(
    channel: string
  ): Effect.Effect<Queue.Dequeue<PgConnection.Notification, SqlError.SqlError>, SqlError.SqlError, Scope.Scope>
}>()("turma/platform/sql/Notifications") {}

/** The handling of the connections when the process ends. */
export class Connections extends Context.Service<Connections, {
  /**
   * Asks again and again whether the database answers, for as long as there are connections. Once it has been silent
   * for 5 seconds, every waiting or later statement fails, and the process ends without them.
   */
  readonly endWithoutAnswer: Effect.Effect<void>
  /** Number of statements and transactions that have had a connection of their own so far. All that write are among them. */
  readonly writes: Effect.Effect<number>
  /** Connections of either kind that this process may have, and the work under way there. */
  readonly load: Effect.Effect<{
    readonly shared: { readonly connections: number; readonly statements: number }
    readonly scan: { readonly connections: number; readonly in_use: number }
    readonly exclusive: { readonly connections: number; readonly in_use: number }
  }>
  /** With a replica: why it cannot serve reads at this moment, in words. */
  readonly replicaFault: Option.Option<Effect.Effect<Option.Option<string>>>
}>()("turma/platform/sql/Connections") {}

/** Runs a statement of this text on the connection that it is to have. */
type Through = <A>(text: string, work: Work<A>) => Effect.Effect<A, SqlError.SqlError>

/** PostgreSQL answers `ROLLBACK` to the `commit` of a transaction in which a statement failed. */
const isRolledBack = (result: unknown) => Predicate.hasProperty(result, "command") && result.command === "ROLLBACK"

const connectionOf = (
  through: Through,
  streaming: Effect.Effect<PgConnection.PgConnection, SqlError.SqlError, Scope.Scope>
): SqlConnection.Connection => {
  const query = (sql: string, params: ReadonlyArray<unknown>, prepare?: boolean) =>
    through(sql, (connection) => connection.query(sql, params, prepare))
  const rows = (prepare: boolean): SqlConnection.Connection["execute"] => (sql, params, transformRows) =>
    Effect.map(
      query(sql, params, prepare),
      ({ rows }) => transformRows === undefined ? rows : transformRows(rows)
    )
  const values = (prepare: boolean): SqlConnection.Connection["executeValues"] => (sql, params) =>
    through(sql, (connection) => connection.queryValues(sql, params, prepare))
  return {
    execute: rows(true),
    executeUnprepared: rows(false),
    executeRaw: (sql, params) => query(sql, params),
    executeValues: values(true),
    executeValuesUnprepared: values(false),
    executeStream: (sql, params) => Stream.unwrap(Effect.map(streaming, (connection) => connection.stream(sql, params)))
  }
}

const commit = (connection: SqlConnection.Connection): Effect.Effect<void, SqlError.SqlError> =>
  connection.executeRaw(controls.commit, []).pipe(
    Effect.flatMap((result) =>
      isRolledBack(result)
        ? Effect.fail(new SqlError.SqlError({
          reason: new SqlError.UnknownError({
            cause: new Error("A transaction in which a statement failed cannot be committed"),
            operation: "commit"
          })
        }))
        : Effect.void
    ),
    Effect.onError(() => undoAll(connection))
  )

const returned = new SqlError.SqlError({
  reason: new SqlError.ConnectionError({
    cause: new Error("The transaction is over, and its connection may be somebody else's"),
    operation: "query"
  })
})

/** Refuses whatever a fiber still asks of a transaction's connection once that has gone back to its pool. */
const untilReturned = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => ({ isReturned: false })),
    (lease) => Effect.sync(() => void (lease.isReturned = true))
  ),
  (lease) => <A>(work: Effect.Effect<A, SqlError.SqlError>): Effect.Effect<A, SqlError.SqlError> =>
    Effect.suspend(() => lease.isReturned ? Effect.fail(returned) : work)
)

/** Milliseconds. */
const probing = { every: 1_000, patience: 5_000 }

/** Which server, through what, and with how many connections. */
export interface ConnectionOptions {
  readonly url: Redacted.Redacted
  readonly connections: number
  /** Directly, unless said otherwise. */
  readonly speaking?: Speaking
  /** Where to listen, if not at `url`. */
  readonly sessionUrl?: Redacted.Redacted
  /** A replica for lists and exports. */
  readonly readUrl?: Redacted.Redacted | undefined
}

const loadOf = (kind: PoolLoad["kind"], { places, taken, waiting, waits }: AbandonablePool): PoolLoad => ({
  kind,
  places,
  inUse: taken,
  waiting,
  waits
})

/** Shows these loads to the metrics of the process, for as long as there are connections. */
const showLoads = Effect.fnUntraced(function*(loads: ReadonlyArray<PoolLoad>) {
  const shown = yield* PoolLoads
  yield* Effect.acquireRelease(
    Effect.sync(() => loads.forEach((load) => shown.add(load))),
    () => Effect.sync(() => loads.forEach((load) => shown.delete(load)))
  )
})

/** The pools of a process: for each lane of reads, and for everything else. */
const makePools = Effect.fnUntraced(function*(
  { connections, speaking: { isPooled, prepare } = directly, url }: ConnectionOptions
) {
  const sizes = divide(connections, isPooled)
  const clock = yield* Clock.Clock
  const poolOf = (maxConnections: number, kind: Partial<PgPool.Config>) =>
    Effect.map(
      PgPool.make({ url, prepare, maxConnections, ...openingTime(url), ...kind }),
      (pool) => abandonable(pool, maxConnections * (kind.multiplexConcurrency ?? 1), clock)
    )
  const readers = isPooled ? poolOf(sizes.shared, pooled) : poolOf(1, shared)
  const reads = [yield* readers, ...yield* Effect.replicateEffect(readers, isPooled ? 0 : sizes.shared - 1)] as const
  const lookups = sizes.lookups === 0 ? reads[0] : yield* poolOf(sizes.lookups, isPooled ? pooled : shared)
  const scans = sizes.scans === 0 ? undefined : yield* poolOf(sizes.scans, isPooled ? pooled : scanned)
  const others = yield* poolOf(sizes.exclusive, isPooled ? pooled : exclusive)
  const all = [...new Set([...reads, lookups, ...(scans === undefined ? [] : [scans]), others])]
  yield* showLoads([
    ...reads.map((pool) => loadOf("shared", pool)),
    ...(lookups === reads[0] ? [] : [loadOf("lookup", lookups)]),
    ...(scans === undefined ? [] : [loadOf("scan", scans)]),
    loadOf("exclusive", others)
  ])
  return { all, sizes, lookups, reads, scans, others, isPooled }
})

const make = Effect.fnUntraced(function*(options: ConnectionOptions) {
  const { all, isPooled, lookups, others, reads, scans, sizes } = yield* makePools(options)
  const clock = yield* Clock.Clock
  const bound = boundPerKey({ places: Math.max(1, Math.floor(sizes.exclusive / 2)) })
  const turn = Effect.flatMap(OnBehalfOf, (key) => key === undefined ? Effect.void : bound.take(key))
  const own = Effect.andThen(turn, others.reserve)

  const cancelling = cancellingWith(clock, others.invalidate)
  let writes = 0
  const alone = <A>(work: Work<A>) => {
    writes++
    return inPlace(others.use((connection) => cancelling(connection, work(connection))))
  }
  const inPlace = <A, E>(run: Effect.Effect<A, E>) =>
    Effect.flatMap(
      OnBehalfOf,
      (key) => key === undefined ? run : Effect.scoped(Effect.andThen(bound.take(key), run))
    )
  // The one place that decides where a statement outside of a transaction runs.
  const isShared = remember(isSharedRead)
  const replica = options.readUrl === undefined ? undefined : yield* makeReplica({
    url: options.readUrl,
    pools: { shared, scan: scanned },
    connections: { shared: divide(options.connections).shared, scan: Math.max(1, divide(options.connections).scans) },
    askPrimary: (work) =>
      read(work, { key: undefined, lane: "shared", mayReadReplica: false, scansOf: Effect.undefined })
  })
  const read = makeReadLanes({
    clock,
    lookups,
    shared: reads,
    scan: scans === undefined
      ? (work) => inPlace(scanWith(others, clock, false)(work))
      : scanWith(scans, clock, !isPooled),
    scans: sizes.scans,
    replica
  })
  const readAsAsked = <A>(work: Work<A>) =>
    Effect.withFiber<A, SqlError.SqlError, never>((fiber) =>
      read(work, {
        key: fiber.getRef(OnBehalfOf),
        lane: fiber.getRef(CurrentLane),
        scansOf: fiber.getRef(ScansOf),
        mayReadReplica: fiber.getRef(MayReadReplica)
      })
    )
  const routed = connectionOf((text, work) => isShared(text) ? readAsAsked(work) : alone(work), own)

  const mayGoWithBegin = remember(leavesNoTrace)
  const client = yield* SqlClient.make({
    acquirer: Effect.succeed(routed),
    borrower: (work) => work(routed),
    transactionAcquirer: Effect.flatMap(
      Effect.andThen(turn, others.lease),
      (connection) =>
        Effect.map(untilReturned, (unlessReturned) => {
          writes++
          return undoable(beginLater(
            connectionOf(
              (_, work) => unlessReturned(cancelling(connection, work(connection))),
              unlessReturned(Effect.succeed(connection))
            ),
            mayGoWithBegin
          ))
        })
    ),
    compiler: knowingTexts(PgClient.makeCompiler()),
    driver: "pg",
    prepareTransactionControls: true,
    beginTransaction: controls.begin,
    rollback: controls.rollback,
    commit,
    savepoint: (name) => `savepoint ${name}`,
    rollbackSavepoint: (name) => `rollback to savepoint ${name}`,
    releaseSavepoint: (name) => `release savepoint ${name}`,
    spanAttributes: [["db.system.name", "postgresql"]]
  })
  const { sessionUrl = options.url } = options
  const listeners = sessionUrl === options.url
    ? others
    : abandonable(
      yield* PgPool.make({ url: sessionUrl, maxConnections: 1, ...openingTime(sessionUrl), ...exclusive }),
      1,
      clock
    )
  yield* Effect.forkScoped(closeLostConnections({
    url: options.url,
    inUse: () => all.flatMap((pool) => pool.inUse())
  }))
  if (listeners !== others) yield* Effect.forkScoped(closeLostConnections({ url: sessionUrl, inUse: listeners.inUse }))
  const listening = yield* RcRef.make({ acquire: listeners.reserve })
  const notifications = Notifications.of({
    listen: (channel) => Effect.flatMap(RcRef.get(listening), (connection) => connection.listen(channel))
  })
  const probe = Effect.timeout(lookups.use((connection) => connection.query("select 1")), probing.patience)
  const endWithoutAnswer = probe.pipe(
    Effect.repeat(Schedule.spaced(probing.every)),
    Effect.catch(() =>
      Effect.sync(() => {
        for (const pool of [...all, listeners]) pool.abandon()
        replica?.abandon()
      })
    ),
    Effect.asVoid
  )
  const load = Effect.sync(() => ({
    shared: { connections: sizes.shared, statements: reads.reduce((sum, pool) => sum + pool.busy(), 0) },
    scan: { connections: sizes.scans, in_use: scans?.inUse().length ?? 0 },
    exclusive: { connections: sizes.exclusive, in_use: others.inUse().length }
  }))
  return Context.make(SqlClient.SqlClient, client).pipe(
    Context.add(Notifications, notifications),
    Context.add(
      Connections,
      Connections.of({
        endWithoutAnswer,
        writes: Effect.sync(() => writes),
        load,
        replicaFault: replica === undefined ? Option.none() : Option.some(replica.fault)
      })
    )
  )
})

/**
 * How every client of Turma talks to PostgreSQL, with at most so many connections. Some are for reads alone: look-ups, short
 * reads (many at a time on each) and scans. A statement that may wait for a lock has a connection to itself.
 */
export const connectionsLayer = (
  options: ConnectionOptions
): Layer.Layer<SqlClient.SqlClient | Notifications | Connections, SqlError.SqlError> =>
  Layer.effectContext(make(options)).pipe(Layer.provide(Reactivity.layer))
