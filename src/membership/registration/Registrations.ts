import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import type { AlreadyEnrolled, Enrollment } from "../access/Enrollment.ts"
import { Enrollments } from "../access/Enrollments.ts"
import { isLive } from "../access/Period.ts"
import type { DeliveryId } from "../catalog/Delivery.ts"
import { RegistrationCodeInvalid } from "./RegistrationLink.ts"
import { RegistrationLinks } from "./RegistrationLinks.ts"

/** Registration links for who is a student already. */
export class Registrations extends Context.Service<Registrations, {
  /** Uses the link's code and gives its delivery: both or neither. What a member took away is not given. */
  register(
    club_id: ClubId,
    student_id: StudentId,
    code: string
  ): Effect.Effect<Enrollment, AlreadyEnrolled | RegistrationCodeInvalid | StudentRemoved>
}>()("turma/catalog/Registrations") {
  static readonly layerNoDeps = Layer.effect(
    Registrations,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const links = yield* RegistrationLinks
      const enrollments = yield* Enrollments

      // Nothing is given to who has it, and to whom it was taken away.
      const refusalOf = Effect.fnUntraced(
        function*(club_id: ClubId, student_id: StudentId, delivery_id: DeliveryId, has: AlreadyEnrolled) {
          const now = yield* DateTime.now
          const { enrollments: held } = yield* enrollments.ofStudent(club_id, student_id)
          const isHeld = held.some((one) => one.delivery_id === delivery_id && isLive(one, now))
          return yield* isHeld ? has : new RegistrationCodeInvalid()
        }
      )

      const register = Effect.fn("Registrations.register")(
        function*(club_id: ClubId, student_id: StudentId, code: string) {
          const given = yield* links.use(club_id, code)
          if (Option.isNone(given)) return yield* new RegistrationCodeInvalid()
          const { cohort_id, delivery_id } = given.value
          if (delivery_id === null) return yield* new RegistrationCodeInvalid()
          return yield* enrollments.grant(
            club_id,
            { student_id, delivery_id, cohort_id, source: "registration_link" },
            {}
          ).pipe(Effect.catchTag("AlreadyEnrolled", (has) => refusalOf(club_id, student_id, delivery_id, has)))
        },
        sql.withTransaction,
        // Archived by now, or its cohort is over.
        Effect.catchTag(["DeliveryUnknown", "ExpiresAtNotLater"], () => Effect.fail(new RegistrationCodeInvalid())),
        // The link's cohort is one of its delivery, and the rows of students stay.
        Effect.catchTag(["CohortOfOtherDelivery", "NotFound", "SqlError"], Effect.die)
      )

      return Registrations.of({ register })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(RegistrationLinks.layer))
}
