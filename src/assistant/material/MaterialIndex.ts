import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Cause, Context, Duration, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { batchWorker } from "../../platform/jobs/BatchWorker.ts"
import { untilDue } from "../../platform/jobs/UntilDue.ts"
import { changedLessons } from "./changes/ChangedLessons.ts"
import { ChunksRepo } from "./ChunksRepo.ts"
import { Documents } from "./documents/Documents.ts"
import { Pdf } from "./documents/Pdf.ts"
import { ReadingBudget } from "./documents/ReadingBudget.ts"
import { type LessonClaim, MaterialQueue, type NextRun } from "./MaterialQueue.ts"

/** Number of lessons that a process works on at a time. */
const concurrency = 2

/** Keeps the chunks of lessons up to date: works off the queue of changed lessons. */
export class MaterialIndex extends Context.Service<MaterialIndex, {
  /**
   * Claims a due lesson and ends when the lesson, or one of its documents, is finished or postponed. Returns the number
   * of claimed lessons.
   */
  readonly tick: Effect.Effect<number>
}>()("turma/assistant/material/MaterialIndex") {
  static readonly layerNoDeps = Layer.effect(
    MaterialIndex,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const documents = yield* Documents
      const chunks = yield* ChunksRepo
      const queue = yield* MaterialQueue

      // Writes the chunks only if the lesson has not changed since and no other worker has claimed it. A change at that
      // moment waits for this transaction and then queues the lesson again.
      const rebuild = Effect.fnUntraced(function*(claim: LessonClaim, next?: NextRun) {
        const built = yield* chunks.make(claim.club_id, claim.lesson_id)
        yield* sql.withTransaction(Effect.gen(function*() {
          if (yield* queue.complete(claim, next)) yield* chunks.replace(claim.club_id, claim.lesson_id, built)
        }))
      })

      const work = Effect.fn("MaterialIndex.work")(function*(claim: LessonClaim) {
        const { club_id, failures, lesson_id } = claim
        // Reading a document queues this lesson again. A document that cannot be read yet does not delay the rest of
        // the lesson. Answers do not wait for it, because it may take long.
        const done = documents.readNew(club_id, lesson_id).pipe(
          Effect.flatMap((read) => read > 0 ? Effect.void : rebuild(claim)),
          Effect.catchTags({
            ReadingBudgetUsedUp: ({ until }) => rebuild(claim, { at: until, failures }),
            DocumentsPending: ({ until }) => rebuild(claim, { at: until, failures: failures + 1 })
          })
        )
        yield* Effect.catchCause(done, (cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.interrupt
            : Effect.andThen(
              Effect.logWarning("The material of a lesson was not read", { lesson_id, failures: failures + 1 }, cause),
              queue.postpone(claim)
            ))
      })

      const tick = Effect.gen(function*() {
        const lease_id = yield* random.uuidV4()
        const claimed = yield* queue.claim(lease_id)
        yield* Effect.forEach(claimed, (claim) => work(claim), { discard: true })
        return claimed.length
      }).pipe(Effect.orDie, Effect.withSpan("MaterialIndex.tick"))

      return MaterialIndex.of({ tick })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([
    ChunksRepo.layer,
    MaterialQueue.layer,
    Documents.layer.pipe(Layer.provide([Pdf.layer, ReadingBudget.layer])),
    NodeCrypto.layerSecureRandom
  ]))
}

/**
 * Works for as long as the layer lives. Any number of processes may run it. Each of a few fibers claims its next lesson
 * after the one before, so a slow lesson blocks only one fiber. Stops between two lessons. If it is killed, another
 * worker claims the lesson at the end of the lease.
 */
export const materialWorkerLayer = ({ every }: { readonly every: Duration.Input }) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { tick } = yield* MaterialIndex
    const worker = Effect.gen(function*() {
      yield* batchWorker({
        tick,
        full: 1,
        idle: yield* untilDue(changedLessons, { pollEvery: every }),
        // For each fiber; they end one after the other.
        shutdownGrace: Duration.seconds(5),
        onFailure: "The material of lessons was not read",
        onCutOff: "A lesson in hand is read later"
      })
    })
    yield* Effect.replicateEffect(worker, concurrency, { discard: true })
  })).pipe(Layer.provide(MaterialIndex.layer))
