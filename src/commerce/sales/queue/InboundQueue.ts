import { Array as Arr, Cause, Context, Duration, Effect, Layer, Option, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { PayloadTooLarge } from "../../../platform/http/errors.ts"
import { readJson } from "../../../platform/http/JsonText.ts"
import { batchWorker } from "../../../platform/jobs/BatchWorker.ts"
import { QueuedWork } from "../../../platform/jobs/QueuedWork.ts"
import { untilDue } from "../../../platform/jobs/UntilDue.ts"
import { Sealing } from "../../../platform/sql/Sealing.ts"
import { linksTo, spanOf } from "../../../platform/tracing/KeptTrace.ts"
import { messagingAttributes } from "../../../platform/tracing/messagingAttributes.ts"
import { bindingOfRaw, type EventKey } from "../inbound/InboundEvent.ts"
import { InboundSignal, waitingEvents } from "../inbound/InboundSignal.ts"
import { Requeues } from "../inbound/Requeues.ts"
import { decodeRequest } from "../inbound/StoredRequest.ts"
import { platformOf } from "../platform/Platforms.ts"
import { Purchases, type Settlement } from "../purchase/Purchases.ts"
import type { ReceivedFacts } from "../purchase/ReceivedFacts.ts"
import {
  type ClaimedInboundEvent,
  type Completion,
  type DueInboundEvent,
  InboundQueueRepo
} from "./InboundQueueRepo.ts"

/** A stored request cannot be decoded: a defect. Reveals nothing of its contents. */
class StoredRequestUnreadable extends Schema.TaggedError<StoredRequestUnreadable>()("StoredRequestUnreadable", {}) {
  override get message(): string {
    return "A kept request cannot be read"
  }
}

type Ended = Omit<Completion, "id">

const completionOf = (outcome: Completion["outcome"], detail: string | null = null): Ended => ({
  outcome,
  detail,
  student_id: null,
  forget: false
})

const completionOfSettlement = ({ outcome, removed, student_id }: Settlement): Ended => ({
  outcome: removed ? "ignored" : outcome,
  detail: null,
  student_id,
  forget: removed
})

/** The most sales of a club that one transaction settles. More would not be cheaper, and would lock more students. */
const batch = 128

/** Sales of the same club and platform, so many of each. */
const batchesOf = (sales: ReadonlyArray<DueInboundEvent>) =>
  [...Map.groupBy(sales, ({ club_id, platform }) => `${club_id} ${platform}`).values()].flatMap(Arr.chunksOf(batch))

/** The result for events that were claimed in one batch. */
interface Together {
  readonly done: number
  /** Those that have to be processed one by one. */
  readonly left: ReadonlyArray<DueInboundEvent>
}

/** The facts of a claimed event. Create it anew for each attempt. */
const receivedOf = (
  { club_id, id: event_id, platform, queued_at, received_at }: ClaimedInboundEvent,
  facts: ReceivedFacts["facts"]
): ReceivedFacts => {
  const work = new QueuedWork(`inbound ${event_id}`, queued_at)
  return { club_id, platform, event_id, received_at, work, facts }
}

/** One of each club, then another of each, and so on. */
const byTurns = (events: ReadonlyArray<DueInboundEvent>) => {
  const clubs = [...Map.groupBy(events, ({ club_id }) => club_id).values()]
  const longest = Math.max(0, ...clubs.map(({ length }) => length))
  return Array.from({ length: longest }, (_, turn) => clubs.flatMap((events) => events.slice(turn, turn + 1))).flat()
}

/** Processes received events: each in one transaction, those of one purchase in order, clubs by turns. */
export class InboundQueue extends Context.Service<InboundQueue, {
  /**
   * Processes one batch of due events and ends when each is finished or postponed. Returns the number of finished ones.
   */
  readonly tick: Effect.Effect<number>
}>()("turma/commerce/sales/queue/InboundQueue") {
  /** `concurrency`: how many events at once, each with a connection of its own. */
  static readonly layer = ({ concurrency }: { readonly concurrency: number }) =>
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
          if (Option.isNone(stored)) return yield* new StoredRequestUnreadable()
          const json = yield* Effect.result(readJson(stored.value.body))
          if (Result.isSuccess(json)) return platformOf(platform).read(json.success, { ...stored.value, received_at })
          // From before such bodies were refused.
          if (json.failure instanceof PayloadTooLarge) return Result.fail({ detail: json.failure.error.message })
          return yield* new StoredRequestUnreadable()
        })

        // The purchase may have become known since the first try. With its name locked here, a transaction that makes
        // it known waits for this one, and then finds the event.
        const settle = Effect.fnUntraced(function*(
          { club_id, platform, purchase_ref }: ClaimedInboundEvent,
          received: ReceivedFacts
        ) {
          const first = yield* purchases.settle(received)
          if (first.outcome !== "unmapped" || purchase_ref === null) return first
          yield* requeues.lockName(club_id, platform, purchase_ref)
          const second = yield* purchases.settle(received)
          return { ...second, newNames: [...first.newNames, ...second.newNames] }
        })

        const process = Effect.fnUntraced(function*(claimed: ClaimedInboundEvent) {
          const { club_id, platform } = claimed
          const notice = yield* noticeOf(claimed)
          if (Result.isFailure(notice)) return completionOf("failed", notice.failure.detail.slice(0, 300))
          const { facts } = notice.success
          if (facts.length === 0) return completionOf("ignored")
          const settlement = yield* settle(claimed, receivedOf(claimed, facts))
          yield* requeues.requeueKnown(club_id, platform, settlement.newNames)
          return completionOfSettlement(settlement)
        }, Effect.orDie)

        /**
         * Processes an event in a transaction of its own; 1 if it finishes, 0 if it cannot be claimed or is postponed.
         */
        const work = Effect.fnUntraced(function*(key: EventKey) {
          let failures = 0
          const done = sql.withTransaction(Effect.gen(function*() {
            const [claimed] = yield* repo.claim(key.club_id, [key.id])
            if (claimed === undefined) return 0
            failures = claimed.failures
            yield* repo.finish(key.club_id, [{ ...yield* process(claimed), id: key.id }])
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

        /** In the trace of the request that brought it. */
        const workOn = (event: DueInboundEvent) =>
          Effect.withSpan(work(event), "InboundQueue.work", {
            parent: Option.getOrUndefined(spanOf(event.trace)),
            kind: "consumer",
            attributes: { ...messagingAttributes("process", [event.id]), "inbound.platform": event.platform }
          })

        const receivedFrom = Effect.fnUntraced(function*(claimed: ClaimedInboundEvent) {
          const notice = yield* noticeOf(claimed)
          return Result.isFailure(notice) ? [] : [receivedOf(claimed, notice.success.facts)]
        })

        /**
         * Returns the number of finished events, and the events that were claimed but not settled. Events that other
         * workers have locked are in neither.
         */
        const settleNew = Effect.fnUntraced(function*(sales: Arr.NonEmptyReadonlyArray<DueInboundEvent>) {
          const [clubPlatform] = sales
          const { club_id, platform } = clubPlatform
          const claimed = yield* repo.claim(club_id, sales.map(({ id }) => id))
          if (claimed.length === 0) return { done: 0, left: [] }
          const received = yield* Effect.forEach(claimed, receivedFrom)
          const { newNames, students } = yield* purchases.settleNew(clubPlatform, received.flat())
          yield* requeues.requeueKnown(club_id, platform, newNames)
          const [done, left] = Arr.partition(claimed, ({ id }) => {
            const student_id = students.get(id)
            return student_id === undefined
              ? Result.fail(id)
              : Result.succeed({ ...completionOf("processed"), id, student_id })
          })
          if (done.length > 0) yield* repo.finish(club_id, done)
          return { done: done.length, left: sales.filter(({ id }) => left.includes(id)) }
        }, sql.withTransaction)

        /**
         * Settles the new sales among these events of a club in one transaction, and returns the others. The recorded
         * events have the trace of the batch, which links to the requests that brought them.
         */
        const together = (sales: Arr.NonEmptyReadonlyArray<DueInboundEvent>): Effect.Effect<Together> => {
          const alone = { done: 0, left: sales }
          if (sales.length === 1) return Effect.succeed(alone)
          // One that fails takes the others back: then each is processed by itself, and its failure is its own.
          const settled = Effect.catchCause(settleNew(sales), (cause) =>
            Cause.hasInterruptsOnly(cause) ?
              Effect.interrupt :
              Effect.as(Effect.logDebug("Sales are processed one by one", cause), alone))
          return Effect.withSpan(settled, "InboundQueue.together", {
            links: linksTo(sales.map(({ trace }) => trace)),
            kind: "consumer",
            attributes: messagingAttributes("process", sales.map(({ id }) => id))
          })
        }

        const tick = Effect.gen(function*() {
          const due = yield* repo.due(batch * concurrency)
          const [others, sales] = [
            due.filter(({ is_sale }) => !is_sale),
            due.filter(({ is_sale }) => is_sale)
          ]
          const settled = yield* Effect.forEach(batchesOf(sales), together, { concurrency })
          const alone = [...settled.flatMap(({ left }) => left), ...byTurns(others).slice(0, 4 * concurrency)]
          const done = yield* Effect.forEach(alone, workOn, { concurrency })
          return [...settled.map(({ done }) => done), ...done].reduce((sum, count) => sum + count, 0)
        }).pipe(Effect.withSpan("InboundQueue.tick"))

        return InboundQueue.of({ tick })
      })
    ).pipe(Layer.provide([InboundQueueRepo.layer, Requeues.layer]))
}

/**
 * Processes due events for as long as the layer lives. Any number of processes may run it. It ends between two batches.
 * An event that does not finish is rolled back, and another process claims it.
 */
export const inboundWorkerLayer = ({ pollEvery }: { readonly pollEvery: Duration.Input }) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const queue = yield* InboundQueue
    const signal = yield* InboundSignal
    yield* batchWorker({
      tick: queue.tick,
      // Finished events may have blocked others.
      full: 1,
      idle: yield* untilDue(waitingEvents, { pollEvery, signal }),
      shutdownGrace: Duration.seconds(10),
      onFailure: "Inbound worker tick failed",
      onCutOff: "Inbound events in hand are processed later"
    })
  }))
