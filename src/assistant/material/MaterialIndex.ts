import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Cause, Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../clubs/Club.ts"
import { LessonId } from "../../content/Lesson.ts"
import { batchWorker } from "../../workers/BatchWorker.ts"
import { ChunksRepo } from "./ChunksRepo.ts"
import { Documents } from "./Documents.ts"
import { Pdf } from "./Pdf.ts"

/** How many lessons a process takes at once, and how many of them it works on at a time. */
const batch = 8
const concurrency = 2

/** How long a lesson is left to who took it: longer than reading its documents takes. */
const lease = Duration.minutes(5)

const firstDelay = Duration.seconds(10)
const longestDelay = Duration.hours(1)

/** How long a lesson waits after this many failures: 10 seconds, doubling up to an hour. */
export const delayAfter = (failures: number): Duration.Duration =>
  Duration.min(Duration.times(firstDelay, 2 ** Math.min(failures - 1, 20)), longestDelay)

const Claimed = Schema.Struct({ club_id: ClubId, lesson_id: LessonId, asked: Schema.Int, failures: Schema.Int })
type Claimed = typeof Claimed.Type
const decodeClaimed = Schema.decodeUnknownEffect(Schema.Array(Claimed))

/** Makes the chunks of changed lessons anew. */
export class MaterialIndex extends Context.Service<MaterialIndex, {
  /** Takes some of the lessons that are due and ends when each is done or put off; says how many it took. */
  readonly tick: Effect.Effect<number>
}>()("turma/assistant/material/MaterialIndex") {
  static readonly layerNoDeps = Layer.effect(
    MaterialIndex,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const documents = yield* Documents
      const chunks = yield* ChunksRepo

      const until = (wait: Duration.Duration) =>
        Effect.map(DateTime.now, (now) => DateTime.toDateUtc(DateTime.addDuration(now, wait)))

      const claim = Effect.fnUntraced(function*(lease_id: string) {
        const rows = yield* sql`
          update material_queue q set lease_id = ${lease_id}, due_at = ${yield* until(lease)}
          from (
            select club_id, lesson_id from material_queue where due_at <= ${yield* until(Duration.zero)}
            order by due_at, lesson_id limit ${batch} for update skip locked
          ) due
          where q.club_id = due.club_id and q.lesson_id = due.lesson_id
          returning q.club_id, q.lesson_id, q.asked, q.failures`
        return yield* decodeClaimed(rows)
      })

      const asClaimed = ({ asked, club_id, lesson_id }: Claimed, lease_id: string) =>
        sql`club_id = ${club_id} and lesson_id = ${lesson_id} and asked = ${asked} and lease_id = ${lease_id}`

      // What was read is written only if nothing has changed since, and nobody else has taken the lesson. Who changes the
      // lesson waits for this transaction, and then asks for the next.
      const remake = Effect.fnUntraced(function*(claimed: Claimed, lease_id: string) {
        const made = yield* chunks.make(claimed.club_id, claimed.lesson_id)
        yield* sql.withTransaction(Effect.gen(function*() {
          const done = yield* sql`delete from material_queue where ${asClaimed(claimed, lease_id)} returning 1`
          if (done.length > 0) yield* chunks.replace(claimed.club_id, claimed.lesson_id, made)
        }))
      })

      const putOff = Effect.fnUntraced(function*(claimed: Claimed, lease_id: string) {
        const failures = claimed.failures + 1
        yield* sql`
          update material_queue set failures = ${failures}, due_at = ${yield* until(delayAfter(failures))}
          where ${asClaimed(claimed, lease_id)}`
      }, Effect.orDie)

      const work = Effect.fn("MaterialIndex.work")(function*(claimed: Claimed, lease_id: string) {
        const { club_id, failures, lesson_id } = claimed
        // A document that has been read asks for this lesson again.
        const done = Effect.andThen(
          documents.readNew(club_id, lesson_id),
          (read) => read > 0 ? Effect.void : remake(claimed, lease_id)
        )
        yield* Effect.catchCause(done, (cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.interrupt
            : Effect.andThen(
              Effect.logWarning("The material of a lesson was not read", { lesson_id, failures: failures + 1 }, cause),
              putOff(claimed, lease_id)
            ))
      })

      const tick = Effect.gen(function*() {
        const lease_id = yield* random.uuidV4()
        const claimed = yield* claim(lease_id)
        yield* Effect.forEach(claimed, (one) => work(one, lease_id), { concurrency, discard: true })
        return claimed.length
      }).pipe(Effect.orDie, Effect.withSpan("MaterialIndex.tick"))

      return MaterialIndex.of({ tick })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([
      ChunksRepo.layer,
      Documents.layer.pipe(Layer.provide(Pdf.layer)),
      NodeCrypto.layerSecureRandom
    ])
  )
}

/**
 * Works for as long as the layer lives. Any number of processes may run it. It ends between two batches; what is cut off
 * is taken up by another when its lease is over.
 */
export const materialWorkerLayer = ({ every }: { readonly every: Duration.Input }) =>
  Layer.effectDiscard(Effect.flatMap(MaterialIndex, ({ tick }) =>
    batchWorker({
      tick,
      full: 1,
      idle: Effect.sleep(every),
      drain: Duration.seconds(10),
      onFailure: "The material of lessons was not read",
      onCutOff: "Lessons in hand are read later"
    }))).pipe(Layer.provide(MaterialIndex.layer))
