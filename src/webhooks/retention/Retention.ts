import { Context, DateTime, Duration, Effect, Layer, Schedule } from "effect"
import { ClockGuard } from "../../platform/jobs/ClockGuard.ts"
import { type PartitionedTable, Partitions } from "../../platform/sql/Partitions.ts"
import { longestWait, WebhookRules } from "../model/WebhookSettings.ts"
import { attemptsTable, deliveriesTable, messagesTable, webhookTables } from "../model/WebhookTables.ts"
import { QueueCancellation } from "../queue/QueueCancellation.ts"
import { batch, RetentionRepo } from "./RetentionRepo.ts"

// A message is kept by the time at which its fact was recorded and ages from its assembly. One that was assembled no later
// than this after it is there for its whole age.
const late = Duration.days(1)

/** What age ends (contract, Retention). What is past its age is unreadable at once; this frees the room. */
export class Retention extends Context.Service<Retention, {
  /**
   * Makes the coming partitions, drops those past their age, cancels what has waited too long and removes what nobody
   * needs any more. Any number of processes may do so at once. A part that fails is logged and left to the next time.
   */
  readonly sweep: Effect.Effect<void>
}>()("turma/webhooks/Retention") {
  static readonly layerNoDeps = Layer.effect(
    Retention,
    Effect.gen(function*() {
      const partitions = yield* Partitions
      const repo = yield* RetentionRepo
      const queues = yield* QueueCancellation
      const rules = yield* WebhookRules
      const guard = yield* ClockGuard

      const until = (what: string, age: Duration.Duration, step: (at: DateTime.Utc) => Effect.Effect<number>) =>
        guard.sweep(
          what,
          (now) => Effect.repeat(step(DateTime.subtractDuration(now, age)), { while: (rows) => rows === batch })
        )

      const drop = (table: PartitionedTable, age: Duration.Duration) =>
        guard.sweep(table.table, (now) => partitions.drop(table, DateTime.subtractDuration(now, age)))

      // Without its body a delivery cannot be sent, whichever of the two ages an operator has made the shorter one.
      const waiting = longestWait(rules)

      // Erasure finds bodies and responses by their deliveries, so those stay for as long as there is something to erase.
      const history = Duration.max(
        rules.history_retention,
        Duration.max(Duration.sum(rules.body_retention, late), rules.attempt_retention)
      )

      const parts: Record<string, Effect.Effect<unknown>> = {
        "partitions are not made": Effect.flatMap(DateTime.now, (now) => partitions.ensure(webhookTables, now)),
        "queues are not canceled": Effect.flatMap(repo.abandoned(), Effect.forEach(queues.finish, { discard: true })),
        "deliveries do not expire": until("pending deliveries", waiting, repo.expire),
        "finished deliveries keep an attempt": until("owed attempts", rules.body_retention, repo.forgetOwed),
        "messages are kept": drop(messagesTable, Duration.sum(rules.body_retention, late)),
        "attempts are kept": drop(attemptsTable, rules.attempt_retention),
        "deliveries are kept": drop(deliveriesTable, history),
        "deleted endpoints are kept": until("deleted endpoints", rules.history_retention, repo.removeEndpoints),
        "replaced secrets are kept": until("replaced secrets", Duration.zero, repo.removeSecrets)
      }

      const sweep = Effect.forEach(
        Object.entries(parts),
        ([problem, part]) =>
          Effect.catchCause(part, (cause) => Effect.logError(`Webhook retention: ${problem}`, cause)),
        {
          discard: true
        }
      ).pipe(Effect.withSpan("Retention.sweep"))

      return Retention.of({ sweep })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([QueueCancellation.layer, RetentionRepo.layer]))
}

/** Sweeps at its start, and then every so often for as long as it lives. */
export const retentionLayer = ({ every }: { readonly every: Duration.Input }) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { sweep } = yield* Retention
    yield* sweep.pipe(Effect.repeat(Schedule.spaced(every)), Effect.forkScoped)
  }))
