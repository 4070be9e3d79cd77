import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { Cause, Console, Duration, Effect, Exit, Layer, Option, type Runtime } from "effect"
import { HttpRouter } from "effect/http"
import { createServer } from "node:http"
import { version } from "./Api.ts"
import { BodyLimitLayer, RoutesLayer, ServicesLayer, WorkersLayer } from "./App.ts"
import { PublicUrls, serverSettings } from "./http/ServerSettings.ts"
import { countersAreShared } from "./limits/RateLimiter.ts"
import { mailSettings } from "./mail/MailSettings.ts"
import { checkSettings, processSettings } from "./Settings.ts"
import { DatabaseLayer } from "./sql/Database.ts"
import { databaseSettings } from "./sql/DatabaseSettings.ts"
import { telemetryLayer } from "./telemetry/Telemetry.ts"

/** A balancer stops sending, what is in flight ends; the rest is cut off well within the 20 seconds of a shutdown. */
const drain = Duration.seconds(15)

const ServerLayer = Layer.unwrap(Effect.gen(function*() {
  const port = yield* serverSettings.PORT.read
  const host = yield* serverSettings.HOST.read
  return NodeHttpServer.layer(createServer, { port, host, gracefulShutdownTimeout: drain })
}))

const ApiLayer = HttpRouter.serve(RoutesLayer, { disableLogger: true, disableListenLog: true }).pipe(
  Layer.provide([ServerLayer, BodyLimitLayer])
)

const announce = Effect.gen(function*() {
  const { api } = yield* PublicUrls
  const folder = yield* databaseSettings.DATA_DIR.read
  const smtp = yield* mailSettings.SMTP_URL.read
  const url = api.href.replace(/\/$/, "")
  yield* Effect.logInfo(`Turma ${version} is ready at ${url}`)
  yield* Effect.logInfo(`Documentation: ${url}/docs`)
  yield* Effect.logInfo(Option.isSome(smtp) ? "Mails leave through SMTP_URL" : `Mails are files in ${folder}/mail`)
  yield* Effect.logInfo(
    `To become an owner: POST ${url}/v1/auth/admin/sign-up, use the link in the mail, sign in, POST ${url}/v1/clubs`
  )
}).pipe(Effect.provide(PublicUrls.layer))

const warnOfLoneCounters = Effect.gen(function*() {
  if (yield* countersAreShared) return
  yield* Effect.logWarning("REDIS_URL is unset: requests are counted by this process alone")
})

const parts = {
  api: ApiLayer.pipe(
    Layer.merge(Layer.effectDiscard(warnOfLoneCounters)),
    Layer.tap(() => announce)
  ),
  worker: WorkersLayer.pipe(Layer.tap(() => Effect.logInfo(`Turma ${version} worker is ready`))),
  all: ApiLayer.pipe(Layer.merge(WorkersLayer), Layer.tap(() => announce))
}

// Provided last is built first: the port opens only once the schema is migrated.
const ProcessLayer = Layer.unwrap(Effect.map(processSettings.ROLE.read, (role) => parts[role])).pipe(
  Layer.provide(ServicesLayer),
  Layer.provide(DatabaseLayer)
)

/** 0 after a signal, 2 for a variable that is wrong, 1 for everything else. */
const teardown: Runtime.Teardown = (exit, onExit) => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return onExit(0)
  const error = Cause.squash(exit.cause)
  onExit(error instanceof Error && "_tag" in error && error._tag === "SettingError" ? 2 : 1)
}

checkSettings.pipe(
  Effect.andThen(Layer.launch(ProcessLayer)),
  // What a person can mend is said in one line; a defect is shown whole.
  Effect.tapError((error) => Console.error(`turma: ${error.message}`)),
  Effect.provide(telemetryLayer(version)),
  NodeRuntime.runMain({ disableErrorReporting: true, teardown })
)
