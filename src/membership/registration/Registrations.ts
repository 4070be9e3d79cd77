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

/** Uses registration links for people who are students already. */
export class Registrations extends Context.Service<Registrations, {
  /** Uses the link's code and grants its delivery: both or neither. Does not grant an access that a member revoked. */
  register(
    club_id: ClubId,
    student_id: StudentId,
    code: string
  ): Effect.Effect<Enrollment, AlreadyEnrolled | RegistrationCodeInvalid | StudentRemoved>
}>()("turma/membership/registration/Registrations") {
  static readonly layer = Layer.effect(
    Registrations,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const links = yield* RegistrationLinks
      const enrollments = yield* Enrollments

      // `AlreadyEnrolled` also means that a member revoked it. Then the code counts as invalid.
      const refuse = Effect.fnUntraced(function*(
        club_id: ClubId,
        student_id: StudentId,
        delivery_id: DeliveryId,
        error: AlreadyEnrolled
      ) {
        const now = yield* DateTime.now
        const { enrollments: accesses } = yield* enrollments.ofStudent(club_id, student_id)
        const hasDelivery = accesses.some((access) => access.delivery_id === delivery_id && isLive(access, now))
        return yield* hasDelivery ? error : new RegistrationCodeInvalid()
      })

      const register = Effect.fn("Registrations.register")(
        function*(club_id: ClubId, student_id: StudentId, code: string) {
          const grant = yield* links.use(club_id, code)
          if (Option.isNone(grant)) return yield* new RegistrationCodeInvalid()
          const { cohort_id, delivery_id } = grant.value
          if (delivery_id === null) return yield* new RegistrationCodeInvalid()
          return yield* enrollments.grant(
            club_id,
            { student_id, delivery_id, cohort_id, source: "registration_link" },
            {}
          ).pipe(Effect.catchTag("AlreadyEnrolled", (error) => refuse(club_id, student_id, delivery_id, error)))
        },
        sql.withTransaction,
        // Archived by now, or its cohort is over.
        Effect.catchTag(["DeliveryUnknown", "ExpiresAtNotLater"], () => Effect.fail(new RegistrationCodeInvalid())),
        // The link's cohort is one of its delivery, and the rows of students stay.
        Effect.catchTag(["CohortOfOtherDelivery", "NotFound", "SqlError"], Effect.die)
      )

      return Registrations.of({ register })
    })
  ).pipe(Layer.provide(RegistrationLinks.layer))
}
