import { Context, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../identity/ids/ClubId.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { batchWorker } from "../../platform/jobs/BatchWorker.ts"
import { DeliveryId } from "../catalog/Delivery.ts"
import { Enrollments } from "./Enrollments.ts"

/** How many students one transaction gives a delivery to. */
const batch = 500

const pollEvery = Duration.seconds(1)

/** How long a batch may hold up a shutdown. One that is cut off is rolled back and done again by another process. */
const drain = Duration.seconds(10)

const Due = Schema.Struct({ club_id: ClubId, id: DeliveryId, free_from: Schema.String })
const decodeDue = Schema.decodeUnknownEffect(Schema.Array(Due))
const decodeStudents = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: StudentId })))

/** Gives what has become free to the students that there are; who is born later gets it at birth. */
export class FreeDeliveries extends Context.Service<FreeDeliveries, {
  /** Gives one delivery to its next students; answers how many deliveries that was, 0 or 1. */
  readonly tick: Effect.Effect<number>
}>()("turma/catalog/FreeDeliveries") {
  static readonly layer = Layer.effect(
    FreeDeliveries,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const enrollments = yield* Enrollments

      // No other process works on it meanwhile, and changing or archiving it waits for the batch; being granted does not.
      // The ones that are furthest behind come first, so that a club of many students holds up nobody.
      const next = sql`
        select club_id, id, free_from from deliveries where free_from is not null
        order by free_from, id limit 1 for no key update skip locked`.pipe(Effect.flatMap(decodeDue))

      // In the order in which everybody locks students. Who was removed is among them, and is granted nothing any more.
      const studentsAfter = ({ club_id, free_from }: typeof Due.Type) =>
        sql`
          select id from students where club_id = ${club_id} and id > ${free_from}
          order by id limit ${batch} for no key update`.pipe(Effect.flatMap(decodeStudents))

      const give = Effect.fn("FreeDeliveries.give")(function*(due: typeof Due.Type) {
        const { club_id, free_from, id: delivery_id } = due
        const students = yield* studentsAfter(due)
        yield* enrollments.grantAll(
          club_id,
          students.map(({ id: student_id }) => ({ student_id, delivery_id, cohort_id: null, source: "free" })),
          {}
        )
        // Whoever is born since then has it from birth, whatever their id.
        const last = students.length < batch ? null : students.at(-1)?.id ?? null
        yield* sql`
          update deliveries set free_from = ${last}
          where club_id = ${club_id} and id = ${delivery_id} and free_from = ${free_from}`
      })

      const tick = Effect.gen(function*() {
        const due = yield* next
        yield* Effect.forEach(due, give, { discard: true })
        return due.length
      }).pipe(sql.withTransaction, Effect.orDie)

      return FreeDeliveries.of({ tick })
    })
  )
}

/** Works for as long as the layer lives. Any number of processes may run it. It ends between two batches. */
export const FreeDeliveriesLayer = Layer.effectDiscard(Effect.gen(function*() {
  const { tick } = yield* FreeDeliveries
  yield* batchWorker({
    tick,
    full: 1,
    idle: Effect.sleep(pollEvery),
    drain,
    onFailure: "A free delivery was not given",
    onCutOff: "A batch of a free delivery is left for later"
  })
})).pipe(Layer.provide(FreeDeliveries.layer))
