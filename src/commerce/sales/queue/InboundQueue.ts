import { Cause, Context, Duration, Effect, Layer, Option, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { readJson } from "../../../platform/http/json/Json.ts"
import { batchWorker } from "../../../platform/jobs/BatchWorker.ts"
import { Sealing } from "../../../platform/sql/Sealing.ts"
import { bindingOfRaw, type EventKey } from "../inbound/InboundEvent.ts"
import { InboundSignal } from "../inbound/InboundSignal.ts"
import { Requeues } from "../inbound/Requeues.ts"
import { decodeRequest } from "../inbound/StoredRequest.ts"
import { platformOf } from "../platform/Platforms.ts"
import { Purchases, type Settlement } from "../purchase/Purchases.ts"
import type { ReceivedFacts } from "../purchase/ReceivedFacts.ts"
import { type ClaimedInboundEvent, type Completion, InboundQueueRepo } from "./InboundQueueRepo.ts"

/** A stored request cannot be decoded: a defect. Says nothing of what is in it. */
class StoredRequestUnreadable extends Schema.TaggedError<StoredRequestUnreadable>()("StoredRequestUnreadable", {}) {
  override get message(): string {
    return "A kept request cannot be read"
  }
}

const completionOf = (outcome: Completion["outcome"], detail: string | null = null): Completion => ({
  outcome,
  detail,
  student_id: null,
  forget: false
})

const completionOfSettlement = ({ outcome, removed, student_id }: Settlement): Completion => ({
  outcome: removed ? "ignored" : outcome,
  detail: null,
  student_id,
  forget: removed
})

/** Processes what was received: each event in one transaction, those of one purchase in order, clubs by turns. */
export class InboundQueue extends Context.Service<InboundQueue, {
  /** Processes one batch of due events and ends when each is done or put off; returns how many are done. */
  readonly tick: Effect.Effect<number>
}>()("turma/commerce/sales/queue/InboundQueue") {
  /** `concurrency`: how many events at once, each with a connection of its own. */
  static readonly layerNoDeps = ({ concurrency }: { readonly concurrency: number }) =>
    Layer.effect(
      InboundQueue,
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const purchases = yield* Purchases
        const repo = yield* InboundQueueRepo
        const requeues = yield* Requeues
        const sealing = yield* Sealing

        const noticeOf = Effect.fnUntraced(function*({ id, platform, raw, received_at }: ClaimedInboundEvent) {
          if (raw === null) return yield* new StoredRequestUnreadable()
          const stored = decodeRequest(yield* sealing.open(raw, bindingOfRaw(id)))
          const json = Option.isNone(stored) ? Option.none() : yield* readJson(stored.value.body)
          if (Option.isNone(stored) || Option.isNone(json)) return yield* new StoredRequestUnreadable()
          return platformOf(platform).read(json.value, { ...stored.value, received_at })
        })

        // The purchase may have become known since the first try. With its name locked, a transaction that makes it known waits
        // for this one, and then finds the event.
        const settle = Effect.fnUntraced(
          function*({ club_id, platform, purchase_ref }: ClaimedInboundEvent, received: ReceivedFacts) {
            const first = yield* purchases.settle(received)
            if (first.outcome !== "unmapped" || purchase_ref === null) return first
            yield* requeues.lockName(club_id, platform, purchase_ref)
            const second = yield* purchases.settle(received)
            return { ...second, newNames: [...first.newNames, ...second.newNames] }
          }
        )

        const process = Effect.fnUntraced(function*(claimed: ClaimedInboundEvent) {
          const { club_id, id: event_id, platform, received_at } = claimed
          const notice = yield* noticeOf(claimed)
          if (Result.isFailure(notice)) return completionOf("failed", notice.failure.detail.slice(0, 300))
          const { facts } = notice.success
          if (facts.length === 0) return completionOf("ignored")
          const settlement = yield* settle(claimed, { club_id, platform, event_id, received_at, facts })
          yield* requeues.requeueKnown(club_id, platform, settlement.newNames)
          return completionOfSettlement(settlement)
        }, Effect.orDie)

        /** Processes an event in a transaction of its own; 1 if it is done, 0 if it could not be claimed or was put off. */
        const work = Effect.fn("InboundQueue.work")(function*(key: EventKey) {
          let failures = 0
          const done = sql.withTransaction(Effect.gen(function*() {
            const claimed = yield* repo.claim(key)
            if (Option.isNone(claimed)) return 0
            failures = claimed.value.failures
            yield* repo.finish(key, yield* process(claimed.value))
            return 1
          }))
          return yield* Effect.catchCause(done, (cause) =>
            Cause.hasInterruptsOnly(cause) ?
              Effect.interrupt :
              Effect.logWarning("An inbound event was not processed", {
                inbound_event_id: key.id,
                failures: failures + 1
              }, cause).pipe(Effect.andThen(repo.postpone(key, failures)), Effect.as(0)))
        })

        const tick = Effect.gen(function*() {
          const due = yield* repo.due(4 * concurrency)
          const done = yield* Effect.forEach(due, work, { concurrency })
          return done.reduce((sum, one) => sum + one, 0)
        }).pipe(Effect.withSpan("InboundQueue.tick"))

        return InboundQueue.of({ tick })
      })
    )

  static readonly layer = (options: { readonly concurrency: number }) =>
    this.layerNoDeps(options).pipe(Layer.provide([InboundQueueRepo.layer, Requeues.layer]))
}

/**
 * Processes due events for as long as the layer lives. Any number of processes may run it. It ends between two batches; an
 * event that is cut off is rolled back, and another process takes it.
 */
export const inboundWorkerLayer = ({ pollEvery }: { readonly pollEvery: Duration.Input }) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const queue = yield* InboundQueue
    const signal = yield* InboundSignal
    yield* batchWorker({
      tick: queue.tick,
      // Events that are done may have blocked others.
      full: 1,
      idle: Effect.raceFirst(Effect.sleep(pollEvery), signal.next),
      drain: Duration.seconds(10),
      onFailure: "Inbound worker tick failed",
      onCutOff: "Inbound events in hand are left for later"
    })
  }))
