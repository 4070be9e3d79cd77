import { Context, Effect, Layer } from "effect"
import { countingProxy } from "../bench/CountingProxy.ts"
import { appLayer } from "./App.ts"
import { freshDatabaseUrl, postgresLayerAt } from "./Postgres.ts"

/** The counting proxy between the service and its database. */
class Wire extends Context.Service<Wire, Effect.Success<ReturnType<typeof countingProxy>>>()("test/harness/Wire") {}

/** The traffic between the service and PostgreSQL during the work. For one request at a time. */
export const trafficOf = Effect.fnUntraced(function*<A, E, R>(work: Effect.Effect<A, E, R>) {
  const { reset, traffic } = yield* Wire
  yield* reset
  yield* work
  return yield* traffic
})

/** One connection for reads and one for everything else: after one request all statements are prepared. */
const connections = 2

/** `AppLayer` with a proxy that counts the statements to its database. */
export const WiredAppLayer = Layer.unwrap(Effect.gen(function*() {
  const wire = yield* countingProxy(yield* freshDatabaseUrl)
  return appLayer({}, { database: postgresLayerAt(wire.database, connections) })
    .pipe(Layer.provideMerge(Layer.succeed(Wire, wire)))
}))
