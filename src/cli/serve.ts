import "effect/schema/SchemaJITCompiler/enable"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Duration, Effect, Layer, Option, type Redacted } from "effect"
import { HttpRouter } from "effect/http"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { resolve } from "node:path"
import { countersAreShared } from "../identity/limits/RateLimiter.ts"
import { RestoredErasuresLayer } from "../operations/backup/erasures/RestoredErasures.ts"
import { checkDataFolder } from "../operations/DataFolder.ts"
import { MailReaders } from "../operations/front/MailReaders.ts"
import { shortSecret } from "../operations/telemetry/InternalSecret.ts"
import { metricsPath, MetricsRouteLayer } from "../operations/telemetry/Metrics.ts"
import { telemetryLayer } from "../operations/telemetry/Telemetry.ts"
import { telemetrySettings } from "../operations/telemetry/TelemetrySettings.ts"
import { allowedMethods } from "../platform/http/server/AllowedMethods.ts"
import { allowedOrigins } from "../platform/http/server/AllowedOrigins.ts"
import { envelopeLayer } from "../platform/http/server/Envelope.ts"
import { RequestLimitsLayer } from "../platform/http/server/RequestLimits.ts"
import { createApiServer } from "../platform/http/server/Server.ts"
import { Unanswered } from "../platform/http/server/Unanswered.ts"
import { type Unarrived, watchUnarrived } from "../platform/http/server/Unarrived.ts"
import { PublicUrls, serverSettings } from "../platform/http/ServerSettings.ts"
import { guardKeys } from "../platform/keys/KeyGuard.ts"
import { keyHolderLayer } from "../platform/keys/KeyHolders.ts"
import { mailServerFault } from "../platform/mail/MailServerCheck.ts"
import { mailSettings } from "../platform/mail/MailSettings.ts"
import { SmallContextsLayer } from "../platform/patches/SmallContexts.ts"
import { Shutdown } from "../platform/processes/Shutdown.ts"
import { headGrace, shutdownGrace, stopping, waitingForHeads } from "../platform/processes/ShutdownGrace.ts"
import { Supervisor } from "../platform/processes/Supervisor.ts"
import { Connections } from "../platform/sql/Connections.ts"
import { DatabaseLayer, DatabaseServer } from "../platform/sql/Database.ts"
import { databaseSettings, usesEmbeddedPostgres } from "../platform/sql/DatabaseSettings.ts"
import { PooledRandomLayer } from "../platform/sql/PooledRandom.ts"
import { Meanwhile } from "../platform/sql/PostgresCluster.ts"
import { version } from "../platform/version.ts"
import { checkListening, listenError } from "./Listening.ts"
import { forceExitAfterShutdown } from "./runMain.ts"
import { checkSettings, processSettings } from "./settings/Settings.ts"
import { warnOfUnknownVariables } from "./settings/unknown.ts"

/** How long those answers may take; then the connections close, within the 20 seconds of a shutdown. */
const sendTime = Duration.seconds(1)

const closeAfterAnswers = (server: Server) =>
  server.prependListener("request", (_request, response: ServerResponse) => response.setHeader("connection", "close"))

/** Requests that wait for something to happen are answered without it. */
const endWaits = Effect.flatMap(Shutdown, ({ begin }) => begin)

// Requests on a connection are still answered meanwhile, each as the last of its connection. Node keeps an idle
// connection for a time. After it, no client can be about to use one.
const letConnectionsGo = (server: Server) =>
  Effect.andThen(
    Effect.andThen(Effect.sync(() => closeAfterAnswers(server)), endWaits),
    Effect.sleep(Duration.millis(server.keepAliveTimeout + server.keepAliveTimeoutBuffer + 500))
  )

/** Number of requests without an answer, or with one that is still being sent. */
const countInFlight = (server: Server) => {
  let inFlight = 0
  const leave = () => {
    inFlight--
  }
  const enter = (_request: IncomingMessage, response: ServerResponse) => {
    inFlight++
    response.on("close", leave)
  }
  server.on("request", enter)
  server.on("checkContinue", enter)
  return () => inFlight
}

/** Says what a process waits for that is the only one: of several, the supervisor says it, but not of half a request. */
const sayWhatIsAwaited = (inFlight: () => number, { count }: Unarrived) =>
  Effect.gen(function*() {
    if ((yield* Supervisor) === undefined) yield* Effect.logInfo(stopping(inFlight()))
    if (count() > 0) yield* Effect.logInfo(waitingForHeads(count()))
  })

// Node closes the connections that are idle when the server stops listening, not those that become so afterwards.
const closeConnections = (server: Server, unanswered: typeof Unanswered.Service, unarrived: Unarrived) => {
  server.closeIdleConnections()
  setTimeout(unarrived.end, Duration.toMillis(headGrace)).unref()
  setTimeout(unanswered.giveUpAll, Duration.toMillis(shutdownGrace)).unref()
  closeAfterAnswers(server)
  setInterval(() => server.closeIdleConnections(), 50).unref()
}

/** Every feature: half of what a start loads, in 0.3 seconds. */
const loadApp = Effect.promise(() => import("../App.ts"))

const ApiLayer = Layer.unwrap(Effect.gen(function*() {
  const { RoutesLayer } = yield* loadApp
  const port = yield* serverSettings.PORT.read
  const host = yield* serverSettings.HOST.read
  const server = createApiServer(yield* allowedOrigins)
  const inFlight = countInFlight(server)
  const unarrived = watchUnarrived(server)
  const unanswered = yield* Unanswered
  yield* (yield* Supervisor)?.onLeave(letConnectionsGo(server)) ?? Effect.void
  const ServerLayer = NodeHttpServer.layer(() => server, {
    port,
    host,
    gracefulShutdownTimeout: Duration.sum(shutdownGrace, sendTime)
  }).pipe(Layer.catchTag(
    "ServeError",
    (error) => Layer.effectContext(Effect.fail(listenError(host, port, error.cause)))
  ))
  // Built after the routes, so it is closed before them, when requests in flight begin to drain.
  const shutDown = Effect.sync(() => closeConnections(server, unanswered, unarrived)).pipe(
    Effect.andThen(endWaits),
    Effect.andThen(sayWhatIsAwaited(inFlight, unarrived))
  )
  return Layer.effectDiscard(Effect.addFinalizer(() => shutDown)).pipe(
    Layer.provideMerge(HttpRouter.serve(RoutesLayer, { disableLogger: true, disableListenLog: true })),
    Layer.provide(SmallContextsLayer),
    Layer.provide([ServerLayer, RequestLimitsLayer])
  )
}))

/** The metrics of a worker, which serves nothing else; empty if no port is set. */
const WorkerMetricsLayer = Layer.unwrap(Effect.gen(function*() {
  const named = yield* telemetrySettings.METRICS_PORT.read
  if (Option.isNone(named)) return Layer.empty
  const port = named.value
  const host = yield* serverSettings.HOST.read
  const server = createApiServer(yield* allowedOrigins)
  const ServerLayer = NodeHttpServer.layer(() => server, { port, host, gracefulShutdownTimeout: sendTime })
    .pipe(Layer.catchTag(
      "ServeError",
      (error) => Layer.effectContext(Effect.fail(listenError(host, port, error.cause)))
    ))
  const routes = Layer.merge(
    MetricsRouteLayer,
    envelopeLayer(allowedMethods([{ method: "GET", path: metricsPath }]))
  )
  return HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provide(SmallContextsLayer),
    Layer.provide([ServerLayer, RequestLimitsLayer])
  )
}))

/** Where mails are shown, the address that opens them. */
const announceMailsPage = Effect.gen(function*() {
  const { address } = yield* MailReaders
  const found = yield* address
  if (Option.isSome(found)) yield* Effect.logInfo(`Mails: ${found.value} shows them to one browser at this machine`)
})

const announceApi = Effect.gen(function*() {
  const { api, ownPages } = yield* PublicUrls
  const url = api.href.replace(/\/$/, "")
  yield* Effect.logInfo(`Turma ${version} is ready at ${url}`)
  yield* Effect.logInfo(`Console: ${url}/console`)
  yield* Effect.logInfo(`Documentation: ${url}/docs`)
  yield* announceMailsPage
  yield* announceData
  yield* announceSources
  yield* Effect.logInfo(ownPages.administrators
    ? `To become an owner: open ${url}/account/sign-up in a browser, and use the link in the mail`
    : `To become an owner: POST ${url}/v1/auth/admin/sign-up, use the link in the mail, sign in, POST ${url}/v1/clubs`)
}).pipe(Effect.provide(PublicUrls.layer))

/** With the embedded database, everything that the service keeps. */
const announceData = Effect.gen(function*() {
  if (!(yield* usesEmbeddedPostgres)) return
  yield* Effect.logInfo(`All data is in ${resolve(yield* databaseSettings.DATA_DIR.read)}`)
})

/** Beside a database of others this is hardly meant to be so. */
const announceMailFiles = Effect.gen(function*() {
  const files = `SMTP_URL is unset, so no mail leaves: each is a file in ${yield* databaseSettings.DATA_DIR.read}/mail`
  yield* (yield* usesEmbeddedPostgres) ? Effect.logInfo(files) : Effect.logWarning(files)
})

/** A checkout without a bundle of its sources runs the sources. The line explains why it takes 60 MB more. */
const announceSources = import.meta.filename.endsWith(".ts")
  ? Effect.logInfo("Runs from its sources, slower to start and with more memory: npm run bundle makes a bundle of them")
  : Effect.void

/** Asks the mail server in the background: a start neither waits for it nor fails of it. */
const warnOfMailServer = (url: Redacted.Redacted) =>
  Effect.forkDetach(Effect.flatMap(
    mailServerFault(url),
    Option.match({ onNone: () => Effect.void, onSome: Effect.logWarning })
  ))

const announceMails = Effect.gen(function*() {
  const smtp = yield* mailSettings.SMTP_URL.read
  if (Option.isNone(smtp)) return yield* announceMailFiles
  yield* Effect.logInfo("Mails leave through SMTP_URL")
  yield* warnOfMailServer(smtp.value)
})

const announceWorker = Effect.logInfo(`Turma ${version} worker is ready`).pipe(
  Effect.andThen(announceMails),
  Effect.andThen(announceSources)
)

const warnOfShortSecret = Effect.flatMap(
  shortSecret,
  Option.match({
    onNone: () => Effect.void,
    onSome: (fault) =>
      Effect.logWarning(`INTERNAL_SECRET is ${fault}. Set the output of openssl rand -base64 32 instead`)
  })
)

const warnOfLoneCounters = Effect.gen(function*() {
  if (yield* countersAreShared) return
  const alone = (yield* Supervisor) === undefined ? "this process" : "these processes"
  yield* Effect.logWarning(`REDIS_URL is unset: requests are counted by ${alone} alone`)
})

/** Of several processes of one command, the first says it for all. */
const once = <E, R>(announce: Effect.Effect<void, E, R>) =>
  Effect.flatMap(Supervisor, (supervisor) => supervisor?.isFirst === false ? Effect.void : announce)

const WorkersLayer = Layer.unwrap(Effect.map(loadApp, (app) => app.WorkersLayer))

// Built after the workers, so its finalizer logs before they stop.
const sayThatWorkStops = Effect.addFinalizer(() =>
  Effect.flatMap(
    Supervisor,
    (supervisor) => supervisor === undefined ? Effect.logInfo("Stopping: work in hand is finished first") : Effect.void
  )
)

const parts = {
  api: ApiLayer.pipe(Layer.tap(() => once(Effect.andThen(warnOfLoneCounters, announceApi)))),
  worker: Layer.merge(WorkersLayer, WorkerMetricsLayer)
    .pipe(Layer.tap(() => Effect.andThen(sayThatWorkStops, once(announceWorker)))),
  all: ApiLayer.pipe(Layer.merge(WorkersLayer), Layer.tap(() => once(Effect.andThen(announceMails, announceApi))))
}

// Built last, so it is closed first: whatever else ends may want to say so to the database.
const AbandonQueriesLayer = Layer.effectDiscard(Effect.gen(function*() {
  const connections = yield* Connections
  const server = yield* DatabaseServer
  yield* Effect.addFinalizer(() =>
    Effect.andThen(Effect.forkDetach(connections.endWithoutAnswer), Effect.forkDetach(server.endWithoutAnswer))
  )
}))

// Runs before any service that seals: such a service would generate a key in place of a missing one.
const KeyGuardLayer = Layer.effectDiscard(Effect.flatMap(loadApp, ({ sealedRows }) => guardKeys(sealedRows)))
  .pipe(Layer.provide([NodeServices.layer, PooledRandomLayer]))

// Provided last is built first: the port opens only once the schema is migrated.
const ProcessLayer = Layer.unwrap(Effect.map(
  processSettings.ROLE.read,
  (role) => Layer.provideMerge(parts[role], Layer.merge(keyHolderLayer(role), RestoredErasuresLayer))
)).pipe(
  (rest) => Layer.provideMerge(AbandonQueriesLayer, rest),
  Layer.provide(Layer.unwrap(Effect.map(loadApp, ({ ServicesLayer }) => ServicesLayer))),
  Layer.provideMerge(KeyGuardLayer),
  // An embedded PostgreSQL starts while the features are loaded.
  Layer.provideMerge(Layer.provide(DatabaseLayer, Layer.succeed(Meanwhile, Effect.asVoid(loadApp))))
)

/**
 * Serves until it is interrupted, or until the database is lost for good. Then requests in flight have the time of a
 * shutdown.
 */
const serveUntilLost = Layer.build(ProcessLayer).pipe(
  Effect.tap(() => Effect.flatMap(Supervisor, (supervisor) => supervisor?.ready ?? Effect.void)),
  Effect.flatMap((services) => Effect.flatMap(DatabaseServer, ({ lost }) => lost).pipe(Effect.provide(services))),
  Effect.tapErrorTag("EmbeddedPostgresError", () => forceExitAfterShutdown),
  Effect.scoped
)

/** Of several processes the others may listen there already; their supervisor has looked. */
const checkListeningAlone = Effect.flatMap(
  Supervisor,
  (supervisor) => supervisor === undefined ? checkListening : Effect.void
)

/** The whole service, until it is interrupted. It first checks every variable, the port and `DATA_DIR`. */
export const serve = checkSettings.pipe(
  Effect.andThen(checkListeningAlone),
  Effect.andThen(checkDataFolder),
  Effect.andThen(Effect.provide(
    Effect.andThen(once(Effect.andThen(warnOfUnknownVariables, warnOfShortSecret)), serveUntilLost),
    telemetryLayer(version)
  ))
)
