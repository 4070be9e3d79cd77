import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Events } from "../../events/Events.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { Enrollments } from "../access/Enrollments.ts"
import type { LinkGrant } from "../registration/RegistrationLinks.ts"

const decodeIds = rows(Schema.Struct({ id: StudentId }))

/** A person with a verified address and a password. */
export interface SignedUpStudent {
  readonly email: string
  readonly name: string
  readonly password_hash: string
  readonly verified_at: DateTime.Utc
  /** The grant of the registration link that they used; undefined without a link. */
  readonly link?: LinkGrant | undefined
}

/** The student that a sign-up became. */
export interface RegisteredStudent {
  readonly student_id: StudentId
  /** True if this created the student; otherwise it set the password of a student without one. */
  readonly created: boolean
}

/** Accounts of students who sign up. */
export class StudentAccounts extends Context.Service<StudentAccounts, {
  /**
   * Creates a student, records `student.created` and grants the club's free deliveries; or sets the password of a
   * student without one. Both get the grant of their link, unless its delivery is archived by now. Empty if the address
   * has a password by now.
   */
  register(club_id: ClubId, student: SignedUpStudent): Effect.Effect<Option.Option<RegisteredStudent>>
}>()("turma/membership/students/StudentAccounts") {
  static readonly layer = Layer.effect(
    StudentAccounts,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const events = yield* Events
      const enrollments = yield* Enrollments

      const grantLink = Effect.fnUntraced(function*(club_id: ClubId, student_id: StudentId, { link }: SignedUpStudent) {
        if (link === undefined || link.delivery_id === null) return
        const { cohort_id, delivery_id } = link
        const source = "registration_link"
        yield* enrollments.grantAll(club_id, [{ student_id, delivery_id, cohort_id, source }], {})
      })

      const register = Effect.fn("StudentAccounts.register")(
        function*(club_id: ClubId, student: SignedUpStudent) {
          const { email, link, name, password_hash } = student
          const id = StudentId.make(yield* random.uuidV7())
          const verified_at = DateTime.toDateUtc(student.verified_at)
          const created_at = DateTime.toDateUtc(yield* DateTime.now)
          const row = { club_id, id, email, name, password_hash, verified_at, created_at }
          const [written] = yield* sql`
            insert into students ${sql.insert(row)}
            on conflict (club_id, email) do update
              set password_hash = excluded.password_hash,
                verified_at = coalesce(students.verified_at, excluded.verified_at)
              where students.password_hash is null
            returning id
          `.pipe(decodeIds)
          if (written === undefined) return Option.none()
          const created = written.id === id
          if (created) {
            const origin = link === undefined ? "sign_up" : "registration_link"
            yield* events.record(club_id, { type: "student.created", student_id: id, origin })
          }
          // Before the free deliveries, which are granted without a cohort: the link's may be one of them.
          yield* grantLink(club_id, written.id, student)
          if (created) yield* enrollments.grantFree(club_id, [{ student_id: id }])
          return Option.some({ student_id: written.id, created })
        },
        sql.withTransaction,
        Effect.orDie
      )

      return StudentAccounts.of({ register })
    })
  ).pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}
