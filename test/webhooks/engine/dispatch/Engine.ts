import { ConfigProvider, Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Partitions } from "../../../../src/platform/sql/Partitions.ts"
import { Sealing } from "../../../../src/platform/sql/Sealing.ts"
import { FailingEndpoints } from "../../../../src/webhooks/engine/dispatch/FailingEndpoints.ts"
import {
  WebhookDispatcher,
  webhookDispatcherLayer
} from "../../../../src/webhooks/engine/dispatch/WebhookDispatcher.ts"
import { LaneChanges } from "../../../../src/webhooks/engine/lane/LaneChanges.ts"
import { LaneNotifications } from "../../../../src/webhooks/engine/lane/LaneNotifications.ts"
import { WebhookRules } from "../../../../src/webhooks/model/WebhookSettings.ts"
import { FakeNetwork } from "../../../harness/FakeNetwork.ts"
import { PostgresLayer } from "../../../harness/Postgres.ts"
import { Stillness } from "../../../harness/Stillness.ts"

/** For tests that disable no endpoint. */
export const NoDisabling = Layer.succeed(
  FailingEndpoints,
  FailingEndpoints.of({ disable: () => Effect.succeed(false) })
)

/**
 * The services of a dispatcher, with a network in which the test answers. Statements are late by `lag` turns of the
 * event loop.
 */
export const GroundLayer = (variables: Record<string, string> = {}, lag = 0) => groundOn(PostgresLayer, variables, lag)

/** The same services on this database. */
export const groundOn = (database: typeof PostgresLayer, variables: Record<string, string> = {}, lag = 0) =>
  Layer.mergeAll(WebhookRules.layer, Partitions.layer, Sealing.layer, LaneChanges.layer).pipe(
    Layer.provideMerge(FakeNetwork.layer),
    Layer.provideMerge(Stillness.layer({ database, lag })),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({
      APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
      ...variables
    })))
  )

/** No notifications arrive, so the dispatcher polls. */
const noNotifications = Layer.succeed(LaneNotifications, { count: () => 0, after: () => Effect.never })

/** A dispatcher that looks every second and disables endpoints with this layer. */
export const dispatcherLayer = <E, R>(disabling: Layer.Layer<FailingEndpoints, E, R>) =>
  Stillness.driven(webhookDispatcherLayer({ pollEvery: Duration.seconds(1) }).pipe(
    Layer.provide(WebhookDispatcher.layer),
    Layer.provide([disabling, noNotifications])
  ))

/** The same for tests that disable no endpoint. */
export const DispatcherLayer = dispatcherLayer(NoDisabling)

/** Leases that outlast every jump of the clock in a test, so that a lane stays with its worker. */
export const lasting = { WEBHOOK_LEASE: "7 days" } as const

/** One dispatcher with its services. */
export const engineLayer = (variables: Record<string, string> = {}, lag = 0) =>
  DispatcherLayer.pipe(Layer.provideMerge(GroundLayer({ ...lasting, ...variables }, lag)))

/** Ends once the engine has nothing left to do without time or an answer of the network, however long this takes. */
export const still = Effect.flatMap(Stillness, ({ still }) => still)

/** Lets this much time pass, and waits for everything that it wakes. */
export const pass = (duration: Duration.Input) => Effect.andThen(TestClock.adjust(duration), still)

/** Lets one second pass. */
export const second = pass("1 second")

/** The most seconds of the engine's clock to wait for an expected state. */
const longest = 1000

/** Lets seconds pass until the condition holds. Each second begins once the engine has finished the last one. */
export const soon = Effect.fnUntraced(function*<A, E, R>(
  question: Effect.Effect<A, E, R>,
  isExpected: (answer: A) => boolean
) {
  yield* still
  for (let seconds = 0;; seconds++) {
    const answer = yield* question
    if (isExpected(answer)) return answer
    if (seconds === longest) return yield* Effect.die(new Error(`It never came to be: ${JSON.stringify(answer)}`))
    yield* second
  }
})

/** Lets seconds pass, and checks that the condition holds throughout. */
export const never = <A, E, R>(question: Effect.Effect<A, E, R>, isUnexpected: (answer: A) => boolean) =>
  Effect.andThen(second, question).pipe(
    Effect.tap((answer) => isUnexpected(answer) ? Effect.die(new Error("It came to be")) : Effect.void),
    Effect.repeat({ times: 5 })
  )
