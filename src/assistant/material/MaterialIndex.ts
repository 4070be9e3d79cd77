import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Cause, Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../identity/ids/ClubId.ts"
import { LessonId } from "../../learning/content/Lesson.ts"
import { batchWorker } from "../../platform/jobs/BatchWorker.ts"
import { ChunksRepo } from "./ChunksRepo.ts"
import { delayAfter } from "./delayAfter.ts"
import { Documents } from "./Documents.ts"
import { lease } from "./MaterialChanges.ts"
import { Pdf } from "./Pdf.ts"
import { ReadingBudget } from "./ReadingBudget.ts"

/** How many lessons a process works on at a time. */
const concurrency = 2

const Claimed = Schema.Struct({ club_id: ClubId, lesson_id: LessonId, asked: Schema.Int, failures: Schema.Int })
type Claimed = typeof Claimed.Type

/** When a lesson is due again although it was read, and how often it has failed then. */
interface Again {
  readonly at: DateTime.Utc
  readonly failures: number
}

const decodeClaimed = Schema.decodeUnknownEffect(Schema.Array(Claimed))

/** Makes the chunks of changed lessons anew. */
export class MaterialIndex extends Context.Service<MaterialIndex, {
  /** Takes a lesson that is due and ends when it, or one of its documents, is done or put off; says how many it took. */
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

      // Clubs take turns, so that one with thousands of lessons holds up no other: of those with something due, the one
      // whose last turn is longest ago. The queue is looked through club by club, not row by row. Nothing is locked but
      // what is taken: clubs are put in order by a look, and `limit 1` ends the join with the first row that could be
      // locked. An order outside of it would lock a row of each club first.
      const claim = Effect.fnUntraced(function*(lease_id: string) {
        const now = yield* until(Duration.zero)
        const rows = yield* sql`
          with recursive club as (
            (select club_id from material_queue order by club_id limit 1)
            union all
            select (select q.club_id from material_queue q where q.club_id > club.club_id order by q.club_id limit 1)
            from club where club.club_id is not null
          ), turns as materialized (
            select due.club_id
            from club cross join lateral (
              select q.club_id, q.lesson_id, q.due_at from material_queue q
              where q.club_id = club.club_id and q.due_at <= ${now}
              order by q.due_at, q.lesson_id limit 1
            ) due left join material_turns t on t.club_id = due.club_id
            order by t.taken_at nulls first, due.due_at, due.lesson_id
          ), turn as materialized (
            select due.club_id, due.lesson_id
            from turns cross join lateral (
              select q.club_id, q.lesson_id from material_queue q
              where q.club_id = turns.club_id and q.due_at <= ${now}
              order by q.due_at, q.lesson_id limit 1 for update skip locked
            ) due limit 1
          ), taken as (
            update material_queue q set lease_id = ${lease_id}, due_at = ${yield* until(lease)}
            from turn where q.club_id = turn.club_id and q.lesson_id = turn.lesson_id
            returning q.club_id, q.lesson_id, q.asked, q.failures
          ), noted as (
            insert into material_turns (club_id, taken_at) select club_id, ${now}::timestamptz from taken
            on conflict (club_id) do update set taken_at = excluded.taken_at
          )
          select * from taken`
        return yield* decodeClaimed(rows)
      })

      const asClaimed = ({ asked, club_id, lesson_id }: Claimed, lease_id: string) =>
        sql`club_id = ${club_id} and lesson_id = ${lesson_id} and asked = ${asked} and lease_id = ${lease_id}`

      // What was read is written only if nothing has changed since, and nobody else has taken the lesson. Who changes the
      // lesson waits for this transaction, and then asks for the next.
      const remake = Effect.fnUntraced(function*(claimed: Claimed, lease_id: string, again?: Again) {
        const made = yield* chunks.make(claimed.club_id, claimed.lesson_id)
        const ours = asClaimed(claimed, lease_id)
        yield* sql.withTransaction(Effect.gen(function*() {
          const done = again === undefined
            ? yield* sql`delete from material_queue where ${ours} returning 1`
            : yield* sql`
              update material_queue
              set due_at = ${DateTime.toDateUtc(again.at)}, failures = ${again.failures}, lease_id = null
              where ${ours} returning 1`
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
        // A document that has been read asks for this lesson again. What cannot be read yet holds up nothing else of it;
        // nobody who asks waits for it, as it may be long.
        const done = documents.readNew(club_id, lesson_id).pipe(
          Effect.flatMap((read) => read > 0 ? Effect.void : remake(claimed, lease_id)),
          Effect.catchTags({
            BudgetSpent: ({ until }) => remake(claimed, lease_id, { at: until, failures }),
            DocumentsWait: ({ until }) => remake(claimed, lease_id, { at: until, failures: failures + 1 })
          })
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
        yield* Effect.forEach(claimed, (one) => work(one, lease_id), { discard: true })
        return claimed.length
      }).pipe(Effect.orDie, Effect.withSpan("MaterialIndex.tick"))

      return MaterialIndex.of({ tick })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([
      ChunksRepo.layer,
      Documents.layer.pipe(Layer.provide([Pdf.layer, ReadingBudget.layer])),
      NodeCrypto.layerSecureRandom
    ])
  )
}

/**
 * Works for as long as the layer lives. Any number of processes may run it. Whoever is done takes the next lesson, so a
 * slow one holds up one place of a few. It ends between two lessons; what is cut off is taken up by another when its lease
 * is over.
 */
export const materialWorkerLayer = ({ every }: { readonly every: Duration.Input }) =>
  Layer.effectDiscard(Effect.flatMap(MaterialIndex, ({ tick }) =>
    Effect.replicateEffect(
      batchWorker({
        tick,
        full: 1,
        idle: Effect.sleep(every),
        // One ends after the other.
        drain: Duration.seconds(5),
        onFailure: "The material of lessons was not read",
        onCutOff: "A lesson in hand is read later"
      }),
      concurrency,
      { discard: true }
    ))).pipe(Layer.provide(MaterialIndex.layer))
