import { ConfigProvider, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Partitions } from "../../../src/sql/Partitions.ts"
import { Sealing } from "../../../src/sql/Sealing.ts"
import { LaneChanges } from "../../../src/webhooks/dispatch/LaneChanges.ts"
import { LanePulse } from "../../../src/webhooks/dispatch/LanePulse.ts"
import { WebhookDispatcher } from "../../../src/webhooks/dispatch/WebhookDispatcher.ts"
import { Disabling } from "../../../src/webhooks/endpoint/Disabling.ts"
import { WebhookRules } from "../../../src/webhooks/WebhookSettings.ts"
import { eventually } from "../../support/Eventually.ts"
import { FakeNetwork } from "../../support/FakeNetwork.ts"
import { PostgresLayer } from "../../support/Postgres.ts"

/** For tests that disable nothing. */
export const NoDisabling = Layer.succeed(
  Disabling,
  Disabling.of({ disableFailing: () => Effect.succeed(false), disableOverdue: Effect.succeed(0) })
)

/** What a dispatcher stands on, with a network in which the test answers. */
export const GroundLayer = (variables: Record<string, string> = {}) =>
  Layer.mergeAll(WebhookRules.layer, Partitions.layer, Sealing.layer, LaneChanges.layer).pipe(
    Layer.provideMerge(FakeNetwork.layer),
    Layer.provideMerge(PostgresLayer),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({
      APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
      ...variables
    })))
  )

/** A dispatcher that looks every second. */
export const DispatcherLayer = WebhookDispatcher.layer({ pollEvery: Duration.seconds(1) }).pipe(
  Layer.provide([NoDisabling, LanePulse.layerNone])
)

/** Leases that outlast whatever a test does to the clock: a lane stays with the worker that has it. */
export const lasting = { WEBHOOK_LEASE: "7 days" } as const

/** One dispatcher on its ground. */
export const engineLayer = (variables: Record<string, string> = {}) =>
  DispatcherLayer.pipe(Layer.provideMerge(GroundLayer({ ...lasting, ...variables })))

/** So many answers of the database lie between two seconds: by then whoever waits for it has been answered, too. */
const patience = 40

const roundTrip = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select 1`)

/** Whoever is at the database, or was just woken, has been answered. */
export const roundTrips = Effect.repeat(roundTrip, { times: patience })

/** A second passes, and whoever it wakes has time to ask the database. */
export const second = Effect.andThen(TestClock.adjust("1 seconds"), roundTrips)

/** Lets the dispatcher look and act: seconds pass, now and then, until what is asked has become so. */
export const soon = <A, E, R>(question: Effect.Effect<A, E, R>, isExpected: (answer: A) => boolean) => {
  let asked = 0
  const pause = Effect.suspend(() => asked++ % patience === 0 ? TestClock.adjust("1 seconds") : roundTrip)
  return eventually(Effect.andThen(pause, question), isExpected)
}

/** The dispatcher looks again and again, and what is asked stays as it is. */
export const never = <A, E, R>(question: Effect.Effect<A, E, R>, isUnexpected: (answer: A) => boolean) =>
  Effect.andThen(second, question).pipe(
    Effect.tap((answer) => isUnexpected(answer) ? Effect.die(new Error("It came to be")) : Effect.void),
    Effect.repeat({ times: 5 })
  )
