import { Cause, Context, Duration, Effect, Layer, Option, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { readJson } from "../../../platform/http/Json.ts"
import { batchWorker } from "../../../platform/jobs/BatchWorker.ts"
import { Sealing } from "../../../platform/sql/Sealing.ts"
import { platformOf } from "../platform/Platforms.ts"
import { Purchases, type Settled } from "../purchase/Purchases.ts"
import type { Told } from "../purchase/Told.ts"
import { bindingOfRaw, type EventKey } from "./InboundEvent.ts"
import { InboundSignal } from "./InboundSignal.ts"
import { unpack } from "./Kept.ts"
import { type Claimed, type Finish, QueueRepo } from "./QueueRepo.ts"
import { Requeues } from "./Requeues.ts"

/** What was stored is not what was stored: a defect, which names the event and nothing of what is in it. */
class KeptBroken extends Schema.TaggedError<KeptBroken>()("KeptBroken", {}) {
  override get message(): string {
    return "A kept request cannot be read"
  }
}

const finishOf = (outcome: Finish["outcome"], detail: string | null = null): Finish => ({
  outcome,
  detail,
  student_id: null,
  forget: false
})

const finishSettled = ({ outcome, removed, student_id }: Settled): Finish => ({
  outcome: removed ? "ignored" : outcome,
  detail: null,
  student_id,
  forget: removed
})

/** Processes what was received: each event in one transaction, those of one purchase in order, clubs by turns. */
export class InboundQueue extends Context.Service<InboundQueue, {
  /** Takes one batch of due events and ends when each is done or put off; says how many are done. */
  readonly tick: Effect.Effect<number>
}>()("turma/sales/InboundQueue") {
  /** `concurrency`: how many events at once, each with a connection of its own. */
  static readonly layerNoDeps = ({ concurrency }: { readonly concurrency: number }) =>
    Layer.effect(
      InboundQueue,
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const purchases = yield* Purchases
        const repo = yield* QueueRepo
        const requeues = yield* Requeues
        const sealing = yield* Sealing

        const noticeOf = Effect.fnUntraced(function*({ id, platform, raw, received_at }: Claimed) {
          if (raw === null) return yield* new KeptBroken()
          const kept = unpack(yield* sealing.open(raw, bindingOfRaw(id)))
          const json = Option.isNone(kept) ? Option.none() : yield* readJson(kept.value.body)
          if (Option.isNone(kept) || Option.isNone(json)) return yield* new KeptBroken()
          return platformOf(platform).read(json.value, { ...kept.value, received_at })
        })

        // What was not known a moment ago may be by the time that is written down. Whoever makes it known waits for this
        // transaction from here on, and then finds the event.
        const settle = Effect.fnUntraced(function*({ club_id, platform, purchase_ref }: Claimed, told: Told) {
          const first = yield* purchases.settle(told)
          if (first.outcome !== "unmapped" || purchase_ref === null) return first
          yield* requeues.holdName(club_id, platform, purchase_ref)
          const second = yield* purchases.settle(told)
          return { ...second, known: [...first.known, ...second.known] }
        })

        const process = Effect.fnUntraced(function*(claimed: Claimed) {
          const { club_id, id: event_id, platform, received_at } = claimed
          const notice = yield* noticeOf(claimed)
          if (Result.isFailure(notice)) return finishOf("failed", notice.failure.detail.slice(0, 300))
          const { facts } = notice.success
          if (facts.length === 0) return finishOf("ignored")
          const settled = yield* settle(claimed, { club_id, platform, event_id, received_at, facts })
          yield* requeues.requeueKnown(club_id, platform, settled.known)
          return finishSettled(settled)
        }, Effect.orDie)

        /** The event as it was claimed; none if it was not there to be claimed. */
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
              }, cause).pipe(Effect.andThen(repo.putOff(key, failures)), Effect.as(0)))
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
    this.layerNoDeps(options).pipe(Layer.provide([QueueRepo.layer, Requeues.layer]))
}

/**
 * Processes what is due for as long as the layer lives. Any number of processes may run it. It ends between two batches;
 * what is cut off was not done and is done by the next who comes.
 */
export const inboundWorkerLayer = ({ pollEvery }: { readonly pollEvery: Duration.Input }) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const queue = yield* InboundQueue
    const signal = yield* InboundSignal
    yield* batchWorker({
      tick: queue.tick,
      // What was done may have been in the way of more.
      full: 1,
      idle: Effect.raceFirst(Effect.sleep(pollEvery), signal.next),
      drain: Duration.seconds(10),
      onFailure: "Inbound worker tick failed",
      onCutOff: "Inbound events in hand are left for later"
    })
  }))
