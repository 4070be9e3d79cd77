import { Context, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../identity/ids/ClubId.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { batchWorker } from "../../platform/jobs/BatchWorker.ts"
import { QueuedWork } from "../../platform/jobs/QueuedWork.ts"
import { untilDue } from "../../platform/jobs/UntilDue.ts"
import { InstantOrNull } from "../../platform/schema/Instant.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { DeliveryId } from "../catalog/Delivery.ts"
import { ungivenDeliveries } from "../catalog/UngivenDeliveries.ts"
import { Enrollments } from "./Enrollments.ts"

/** Number of students that get a delivery in one transaction. */
const batch = 500

const pollEvery = Duration.seconds(1)

/** The time that a batch may delay a shutdown. An interrupted one is rolled back, and another process repeats it. */
const shutdownGrace = Duration.seconds(10)

const Due = Schema.Struct({
  club_id: ClubId,
  id: DeliveryId,
  free_from: Schema.String,
  /** Null if a version before this column made it free. */
  free_since: InstantOrNull
})
const decodeDue = rows(Due)
const decodeStudents = rows(Schema.Struct({ id: StudentId }))

/** Grants deliveries that have become free to the existing students; later ones get them when they are created. */
export class FreeDeliveries extends Context.Service<FreeDeliveries, {
  /** Grants one delivery to its next students; answers the number of deliveries with waiting students, 0 or 1. */
  readonly tick: Effect.Effect<number>
}>()("turma/membership/access/FreeDeliveries") {
  static readonly layer = Layer.effect(
    FreeDeliveries,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const enrollments = yield* Enrollments

      // The lock keeps other processes, changes and archiving away until the batch ends, but not grants. The delivery that
      // is furthest behind comes first, so that a club of many students delays no other.
      const next = sql`
        select club_id, id, free_from, free_since from deliveries where free_from is not null
        order by free_from, id limit 1 for no key update skip locked`.pipe(decodeDue)

      // In the order of ids, in which everybody locks students. Removed ones are among them; `grantAll` refuses these.
      const studentsAfter = ({ club_id, free_from }: typeof Due.Type) =>
        sql`
          select id from students where club_id = ${club_id} and id > ${free_from}
          order by id limit ${batch} for no key update`.pipe(decodeStudents)

      const grantBatch = Effect.fn("FreeDeliveries.grantBatch")(function*(due: typeof Due.Type) {
        const { club_id, free_from, free_since, id: delivery_id } = due
        const work = free_since === null ? undefined : new QueuedWork(`free ${delivery_id}`, free_since)
        const students = yield* studentsAfter(due)
        yield* enrollments.grantAll(
          club_id,
          students.map(({ id: student_id }) => ({ student_id, delivery_id, cohort_id: null, source: "free", work })),
          {}
        )
        // Students created since it became free got it when they were created, whatever their id.
        const last = students.length < batch ? null : students.at(-1)?.id ?? null
        yield* sql`
          update deliveries set free_from = ${last}, free_since = ${last === null ? sql`null` : sql`free_since`}
          where club_id = ${club_id} and id = ${delivery_id} and free_from = ${free_from}`
      })

      const tick = Effect.gen(function*() {
        const due = yield* next
        yield* Effect.forEach(due, grantBatch, { discard: true })
        return due.length
      }).pipe(sql.withTransaction, Effect.orDie)

      return FreeDeliveries.of({ tick })
    })
  )
}

/** Runs for as long as the layer lives, in any number of processes. Stops between two batches. */
export const FreeDeliveriesLayer = Layer.effectDiscard(Effect.gen(function*() {
  const { tick } = yield* FreeDeliveries
  yield* batchWorker({
    tick,
    full: 1,
    idle: yield* untilDue(ungivenDeliveries, { pollEvery }),
    shutdownGrace,
    onFailure: "A free delivery was not given",
    onCutOff: "A batch of a free delivery is granted later"
  })
})).pipe(Layer.provide(FreeDeliveries.layer))
