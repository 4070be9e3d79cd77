// A process that uses the embedded PostgreSQL in this folder. It prints the URL. On Ctrl-C it prints the answer to a
// last query and ends.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { PgConnection } from "@effect/sql-pg"
import { Console, Effect, Logger, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { embeddedPostgres } from "../../../src/platform/sql/EmbeddedPostgres.ts"

const program = Effect.gen(function*() {
  const url = yield* embeddedPostgres({ directory: process.argv[2] ?? "", settings: { fsync: "off" } })
  yield* Effect.addFinalizer(() =>
    Effect.scoped(PgConnection.make({ url })).pipe(Effect.matchEffect({
      onSuccess: () => Console.log("drained"),
      onFailure: () => Console.log("too late")
    }))
  )
  yield* Console.log(Redacted.value(url))
  return yield* Effect.never
})

program.pipe(
  Effect.scoped,
  // The logs go to stderr, since the first line of the output is the URL.
  Effect.provideService(Logger.LogToStderr, true),
  Effect.provide([NodeServices.layer, SecureRandom.layerWebCrypto]),
  NodeRuntime.runMain
)
