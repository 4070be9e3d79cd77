// A process that uses the supervised PostgreSQL in this folder. It prints the URL. If the server does not come back, it
// prints the reason and ends with 3.
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
  // The logs go to stderr, since the first line of the output is the URL.
  Effect.provideService(Logger.LogToStderr, true),
  Effect.provide([NodeServices.layer, SecureRandom.layerWebCrypto]),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
