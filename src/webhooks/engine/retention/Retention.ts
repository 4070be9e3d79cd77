import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { ClockGuard } from "../../../platform/jobs/ClockGuard.ts"
import { longestQueued } from "../../../platform/jobs/QueuedWork.ts"
import { repeatedly } from "../../../platform/jobs/Repeatedly.ts"
import { type PartitionedTable, Partitions } from "../../../platform/sql/Partitions.ts"
import { longestWait, WebhookRules } from "../../model/WebhookSettings.ts"
import { attemptsTable, deliveriesTable, feedTable, messagesTable, webhookTables } from "../../model/WebhookTables.ts"
import { QueueCancellation } from "../queue/QueueCancellation.ts"
import { batch, RetentionRepo } from "./RetentionRepo.ts"

// A message goes by the time of its id, when its fact was recorded, but ages from its assembly. This margin keeps a
// message with a late assembly for its whole age.
const late = Duration.days(1)

/** Attempts that were under way when their endpoint was deleted have ended by then. */
const settled = Duration.hours(1)

/** For so long it is looked whether an endpoint was deleted that never got a delivery. */
const looked = Duration.days(1)

/** Removes what is past its age (contract, Retention). Reads leave it out already; this frees the room. */
export class Retention extends Context.Service<Retention, {
  /**
   * Makes the coming partitions and drops those past their age. Cancels deliveries that have waited too long. Removes
   * endpoints and secrets that are not needed any more. Any number of processes may run it at once. A part that fails
   * is logged and runs again the next time.
   */
  readonly sweep: Effect.Effect<void>
}>()("turma/webhooks/engine/retention/Retention") {
  static readonly layerNoDeps = Layer.effect(
    Retention,
    Effect.gen(function*() {
      const partitions = yield* Partitions
      const repo = yield* RetentionRepo
      const cancellation = yield* QueueCancellation
      const rules = yield* WebhookRules
      const guard = yield* ClockGuard

      const until = (what: string, age: Duration.Duration, step: (at: DateTime.Utc) => Effect.Effect<number>) =>
        guard.sweep(
          what,
          (now) => Effect.repeat(step(DateTime.subtractDuration(now, age)), { while: (rows) => rows === batch })
        )

      const drop = (table: PartitionedTable, age: Duration.Duration) =>
        guard.sweep(table.table, (now) => partitions.drop(table, DateTime.subtractDuration(now, age)))

      // A delivery cannot be sent without its body, so the shorter of the two ages counts.
      const waiting = longestWait(rules)

      // Erasure finds bodies and responses by their deliveries and by the feed, so these are kept for as long as those.
      const history = Duration.max(
        rules.history_retention,
        Duration.max(
          Duration.sum(rules.body_retention, Duration.sum(late, longestQueued)),
          rules.attempt_retention
        )
      )

      const parts: Record<string, Effect.Effect<unknown>> = {
        "partitions are not made": Effect.flatMap(DateTime.now, (now) => partitions.ensure(webhookTables, now)),
        "queues are not canceled": Effect.flatMap(
          repo.lanesToCancel(),
          Effect.forEach(cancellation.finish, { discard: true })
        ),
        "deliveries do not expire": until("pending deliveries", waiting, repo.expire),
        "finished deliveries keep an attempt": until("owed attempts", rules.body_retention, repo.endResends),
        "messages are kept": guard.sweep(messagesTable.table, (now) =>
          partitions.drop(
            messagesTable,
            DateTime.subtractDuration(now, Duration.sum(rules.body_retention, late)),
            // For queued work the id of a message carries the time the work was queued, so the message may be younger
            // than its partition.
            (range) => repo.hasMessages(range, DateTime.subtractDuration(now, rules.body_retention))
          )),
        "attempts are kept": drop(attemptsTable, rules.attempt_retention),
        "deliveries are kept": drop(deliveriesTable, history),
        "the feed is kept": drop(feedTable, history),
        "deleted endpoints are kept": until("deleted endpoints", rules.history_retention, repo.removeEndpoints),
        // Listeners come and go, and most of them without a delivery.
        "endpoints without deliveries are kept": until(
          "deleted endpoints without deliveries",
          settled,
          (at) => repo.removeEndpoints(at, DateTime.subtractDuration(at, looked))
        ),
        "counts are kept": until("counts of attempts", rules.history_retention, repo.removeCounts),
        "notices are kept": until("notices", rules.history_retention, repo.removeNotices),
        "recoveries are kept": until("recoveries", rules.history_retention, repo.removeRecoveries),
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
    yield* repeatedly(sweep, { every, onFailure: "Webhook retention failed" })
  }))
