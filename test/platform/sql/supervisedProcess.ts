// A process that uses the supervised PostgreSQL under the folder given: prints the URL, and when the server is gone for
// good ends with 3 and the reason.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect, Logger, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { supervisedPostgres } from "../../../src/platform/sql/SupervisedPostgres.ts"

const program = Effect.gen(function*() {
  const { lost, url } = yield* supervisedPostgres({
    directory: process.argv[2] ?? "",
    settings: { fsync: "off" }
  })
  yield* Console.log(Redacted.value(url))
  return yield* Effect.tapError(lost, ({ message }) => Console.log(message))
})

program.pipe(
  Effect.scoped,
  // The first line is the URL.
  Effect.provideService(Logger.LogToStderr, true),
  Effect.provide([NodeServices.layer, SecureRandom.layerWebCrypto]),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
