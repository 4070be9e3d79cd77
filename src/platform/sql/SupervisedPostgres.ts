import { PgConnection } from "@effect/sql-pg"
import { Clock, Deferred, Duration, Effect, Exit, Option, Queue, type Redacted, Schedule, Schema, Scope } from "effect"
import { destroySocket } from "../patches/DriverConnection.ts"
import { diskFault } from "./DiskFault.ts"
import {
  attach,
  attachFirst,
  clusterOf,
  detach,
  type EmbeddedPostgresOptions,
  type ServerUse,
  urlOf
} from "./EmbeddedPostgres.ts"
import { type Cluster, EmbeddedPostgresError } from "./PostgresCluster.ts"

/** How long we try to start a server that has ended. */
const patience = Duration.seconds(30)

/** How long after a failed try the next one comes. */
const pause = Duration.millis(250)

/** At the end of a process: how long the server may be silent, and how often it is asked. */
const silence = Duration.seconds(5)
const asking = Duration.seconds(1)

/** The server runs at another port than the one at which this process's pools look for it: no trying helps. */
class Moved extends Schema.TaggedError<Moved>()("Moved", { port: Schema.Int }) {
  override get message(): string {
    return `another process has started it at port ${this.port}`
  }
}

/** Ends when the session does: PostgreSQL closes it when it stops, dies or is killed. */
const endOf = ({ session }: ServerUse) =>
  Effect.scoped(Effect.flatMap(session.listen("turma_embedded"), (queue) => Effect.forever(Queue.take(queue))))
    .pipe(Effect.catchTag("SqlError", () => Effect.void))

/** How long after a try that the disk made fail the next one comes. */
const diskPause = Duration.seconds(2)

/** Attaches at the server's old port, and starts the server there if nobody else has; fails with why it did not work. */
const tryAgain = Effect.fnUntraced(function*(
  cluster: Cluster,
  { settings = {} }: EmbeddedPostgresOptions,
  port: number
) {
  let why = "it does not answer"
  const once = Effect.gen(function*() {
    const outer = yield* Effect.scope
    const own = yield* Scope.fork(outer)
    const server = yield* attach(cluster, settings, Option.some(port)).pipe(
      Scope.provide(own),
      Effect.onError((cause) => Scope.close(own, Exit.failCause(cause)))
    )
    if (server.port === port) return server
    yield* Scope.close(own, Exit.void)
    return yield* new Moved({ port: server.port })
  })
  return yield* once.pipe(
    Effect.tapError((error) => Effect.sync(() => why = error._tag === "Busy" ? error.why : error.message)),
    Effect.tapError(() => Effect.flatMap(diskFault(cluster.home), (fault) => Effect.sleep(fault ? diskPause : 0))),
    Effect.retry({ while: (error) => error._tag !== "Moved", schedule: Schedule.spaced(pause) }),
    Effect.timeoutOption(patience),
    Effect.map(Option.getOrUndefined),
    Effect.orElseSucceed(() => undefined),
    Effect.flatMap((server) => server === undefined ? Effect.fail(why) : Effect.succeed(server))
  )
})

/** Tries until the time is over. For a full or read-only disk it waits: the end of the process would free no room. */
const reattach = (cluster: Cluster, options: EmbeddedPostgresOptions, port: number) =>
  tryAgain(cluster, options, port).pipe(
    Effect.catch(Effect.fnUntraced(function*(why) {
      const fault = yield* diskFault(cluster.home)
      if (fault === undefined) {
        const message = `PostgreSQL under ${cluster.home} ended and did not come back: ${why}`
        return yield* new EmbeddedPostgresError({ message })
      }
      yield* Effect.logError(`PostgreSQL under ${cluster.home} cannot be started while ${fault}`)
      return undefined
    })),
    Effect.repeat({ until: (server) => server !== undefined })
  )

/** An embedded PostgreSQL that is started again when it ends although it is in use. */
export interface SupervisedPostgres {
  /** Stays what it is across restarts, so that pools find the server again. */
  readonly url: Redacted.Redacted
  /** Fails once the server has ended for good: tries took half a minute, or it runs at another port. */
  readonly lost: Effect.Effect<never, EmbeddedPostgresError>
  /**
   * For the end of a process: once the server has been silent for 5 seconds, nothing waits for it, and it goes on
   * running.
   */
  readonly endWithoutAnswer: Effect.Effect<void>
}

/**
 * The embedded PostgreSQL of `embeddedPostgres`, supervised until the scope closes. Every process that uses it does so;
 * `StartLock` lets one at a time start it, and the others find it started.
 */
export const supervisedPostgres = Effect.fn("SupervisedPostgres.start")(function*(options: EmbeddedPostgresOptions) {
  const cluster = yield* clusterOf(options)
  const scope = yield* Effect.scope
  const lost = yield* Deferred.make<never, EmbeddedPostgresError>()
  let server: ServerUse
  let isSilent = false
  const first = yield* attachFirst(
    cluster,
    Effect.tap(attach(cluster, options.settings ?? {}), (attached) => {
      // The finalizer is added here: a process that gets its signal to end during the start runs nothing after this.
      server = attached
      return Scope.addFinalizer(scope, Effect.suspend(() => detach(cluster, server, () => isSilent)))
    })
  )
  const supervise = Effect.gen(function*() {
    yield* endOf(server)
    // Given up at the end of the process: nobody starts it again.
    if (isSilent) return yield* Effect.never
    const from = yield* Clock.currentTimeMillis
    yield* Effect.logError(`PostgreSQL under ${cluster.home} has ended and is started again`)
    server = (yield* reattach(cluster, options, server.port)) ?? server
    const took = (yield* Clock.currentTimeMillis) - from
    yield* Effect.logInfo(`PostgreSQL under ${cluster.home} is back after ${took} ms`)
  })
  yield* Effect.forever(supervise).pipe(
    Effect.catch((error) => Deferred.fail(lost, error)),
    Effect.forkScoped
  )
  // Our session listens for its own end, so what is asked there waits for ever, whatever the server does.
  const url = urlOf(cluster, first.port)
  const opening = PgConnection.make({
    url,
    applicationName: "turma embedded",
    // A silent connection can be abandoned: nothing is canceled there.
    multiplex: true,
    connectTimeout: Duration.times(silence, 2)
  })
  // A server that has ended is not waited for: a question to it fails at once.
  const endWithoutAnswer = Effect.timeout(opening, silence).pipe(
    Effect.flatMap((own) =>
      Effect.timeout(own.query("select 1"), silence).pipe(
        Effect.repeat(Schedule.spaced(asking)),
        Effect.onError(() => Effect.sync(() => destroySocket(own)))
      )
    ),
    Effect.scoped,
    Effect.catchTags({
      SqlError: () => Effect.void,
      TimeoutError: () =>
        Effect.sync(() => {
          isSilent = true
          destroySocket(server.session)
        })
    }),
    Effect.asVoid
  )
  return {
    url,
    lost: Deferred.await(lost),
    endWithoutAnswer
  } satisfies SupervisedPostgres
})
