import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConfigProvider, Effect, Layer } from "effect"
import { DemoError } from "./demo/DemoError.ts"
import { demoFolder } from "./demo/Folder.ts"
import { freeDemoPort } from "./demo/freeDemoPort.ts"
import { Narrator, say } from "./demo/Narrator.ts"
import { Receiver } from "./demo/Receiver.ts"
import { story } from "./demo/story.ts"
import { environmentOf, type ServiceOptions, Turma } from "./demo/Turma.ts"
import { shortenedLines } from "./demo/Waits.ts"
import { UsageError } from "./errors/UsageError.ts"
import { serve } from "./serve.ts"
import { selfSigned } from "./webhooks/Certificate.ts"

/** The service as `npm start` runs it, with its usual settings whatever the environment says, until it is interrupted. */
const runService = (options: ServiceOptions) =>
  Effect.provide(serve, ConfigProvider.layer(ConfigProvider.fromEnv({ env: environmentOf(options) })))

const longest = "2 minutes"

const noOpenssl = () => new UsageError({ message: "The demo makes a certificate with openssl, which is not here" })

const tooSlow = () => Effect.fail(new DemoError({ message: `The demo did not come to its end within ${longest}` }))

const play = Effect.gen(function*() {
  const certificate = yield* Effect.mapError(selfSigned, noOpenssl)
  const folder = yield* demoFolder
  yield* say("demo", "webhooks of Turma, from the first one to the recovery after an outage, in about a minute;")
  for (const line of shortenedLines) yield* say("demo", line)
  yield* say("demo", `everything is kept in ${folder}, which is removed at the end`)
  const options = { port: yield* freeDemoPort, folder, certificate: certificate.path }
  const narrated = Effect.provide(story, Layer.merge(Receiver.layer(certificate), Turma.layer(options)))
  yield* Effect.raceFirst(narrated, runService(options))
    .pipe(Effect.timeoutOrElse({ duration: longest, orElse: tooSlow }))
}).pipe(
  Effect.onInterrupt(() => say("demo", "stops and removes what it made")),
  Effect.scoped
)

/** Shows outgoing webhooks at work on a service of its own, in plain lines, and ends by itself. */
export const demo = Effect.provide(play, Layer.merge(Narrator.layer, NodeServices.layer))
