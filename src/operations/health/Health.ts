import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { InboundEvents } from "../../commerce/sales/inbound/InboundEvents.ts"
import { Outbox } from "../../events/Outbox.ts"
import { RateLimiter } from "../../identity/limits/RateLimiter.ts"
import { CredentialRequests } from "../../membership/accounts/CredentialRequests.ts"
import { ClockGuard } from "../../platform/jobs/ClockGuard.ts"
import { sealsAreBroken } from "../../platform/keys/KeyHolders.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { Connections, OnBehalfOf } from "../../platform/sql/Connections.ts"
import { lookingUp } from "../../platform/sql/ReadLane.ts"
import { Sealing } from "../../platform/sql/Sealing.ts"
import { LaneChanges } from "../../webhooks/engine/lane/LaneChanges.ts"
import type { Readiness } from "./Api.ts"

/** Work that has waited for this long shows that no worker runs, or that it cannot keep up. */
const stalledSeconds = 300

const patience = Duration.seconds(2)

/** The state of this process at the moment. */
export class Health extends Context.Service<Health, {
  readonly readiness: Effect.Effect<typeof Readiness.Type>
}>()("turma/operations/health/Health") {
  static readonly layer = Layer.effect(
    Health,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const limiter = yield* RateLimiter
      const mailer = yield* Mailer
      const requests = yield* CredentialRequests
      const outbox = yield* Outbox
      const lanes = yield* LaneChanges
      const inbound = yield* InboundEvents
      const guard = yield* ClockGuard
      const { replicaFault } = yield* Connections
      const broken = sealsAreBroken.pipe(
        Effect.provideService(SqlClient.SqlClient, sql),
        Effect.provideService(Sealing, yield* Sealing)
      )

      const secondsSince = (moment: Effect.Effect<Option.Option<DateTime.Utc>>) =>
        Effect.zipWith(
          moment,
          DateTime.now,
          (since, now) =>
            Option.match(since, { onNone: () => 0, onSome: (at) => Duration.toSeconds(DateTime.distance(at, now)) })
        )

      // A mail waits as a request first, then as a mail. An event of a sales platform waits as an inbound event, then
      // as a fact in the outbox, then in a lane.
      const oldestDueSeconds = Effect.map(
        Effect.all([
          requests.oldestDueSeconds,
          mailer.oldestDueSeconds,
          secondsSince(outbox.oldestDue),
          secondsSince(lanes.oldestDue),
          secondsSince(inbound.oldestDue)
        ]),
        (all) => Math.max(...all)
      )

      // A check that fails, dies or hangs is the answer, not a fault of the check.
      const verdict = (check: Effect.Effect<boolean, unknown>) =>
        check.pipe(
          Effect.timeout(patience),
          Effect.catchCause((cause) => Effect.as(Effect.logWarning("A readiness check failed", cause), false)),
          Effect.map((passes) => passes ? "ok" : "failing")
        )

      const replica = Option.match(replicaFault, {
        onNone: () => ({}),
        onSome: (fault) => ({
          replica: verdict(Effect.flatMap(
            fault,
            Option.match({
              onNone: () => Effect.succeed(true),
              onSome: (why) =>
                Effect.as(Effect.logWarning(`DATABASE_READ_URL: the replica cannot be used: ${why}`), false)
            })
          ))
        })
      })

      // Anybody may ask. Requests that come during a check share its result, which is kept no longer, whatever the clock does.
      const readiness = yield* Effect.gen(function*() {
        const checks = yield* Effect.all({
          database: verdict(Effect.as(sql`select 1`, true)),
          limiter: verdict(Effect.as(limiter.check, true)),
          queue: verdict(Effect.map(oldestDueSeconds, (seconds) => seconds < stalledSeconds)),
          clock: verdict(guard.isRight),
          seals: verdict(Effect.map(broken, (are) => !are)),
          ...replica
        }, { concurrency: "unbounded" })
        const all = Object.values(checks).every((check) => check === "ok")
        const status = checks.database === "failing" ? "unavailable" : all ? "ready" : "degraded"
        return { status, checks } as const
      }).pipe(
        lookingUp,
        Effect.provideService(OnBehalfOf, "readiness"),
        Effect.cachedWithTTL(Duration.negativeInfinity)
      )

      return Health.of({ readiness })
    })
  ).pipe(Layer.provide([InboundEvents.layer, Outbox.layer, LaneChanges.layer]))
}
