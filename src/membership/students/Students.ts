import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Events } from "../../events/Events.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { Enrollments } from "../access/Enrollments.ts"
import type { Given } from "../registration/RegistrationLinks.ts"

const decodeIds = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: StudentId })))

/** A person whose address is proven and who chose a password. */
export interface NewStudent {
  readonly email: string
  readonly name: string
  readonly password_hash: string
  readonly verified_at: DateTime.Utc
  /** What the registration link that they used gives; undefined where they used none. */
  readonly link?: Given | undefined
}

/** The student that a sign-up became. */
export interface Registered {
  readonly student_id: StudentId
  /** Whether this made the student; otherwise it gave a password to one who had none. */
  readonly born: boolean
}

/** The students of clubs. */
export class Students extends Context.Service<Students, {
  /**
   * A new student, which is a `student.created` and gets the club's free deliveries, or the password of one who had
   * none. Either gets what their link gives; a delivery that is archived by now is not given. None if the address has a
   * password by now.
   */
  register(club_id: ClubId, student: NewStudent): Effect.Effect<Option.Option<Registered>>
}>()("turma/students/Students") {
  static readonly layerNoDeps = Layer.effect(
    Students,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const events = yield* Events
      const enrollments = yield* Enrollments

      const giveLinked = Effect.fnUntraced(function*(club_id: ClubId, student_id: StudentId, { link }: NewStudent) {
        if (link === undefined || link.delivery_id === null) return
        const { cohort_id, delivery_id } = link
        const source = "registration_link"
        yield* enrollments.grantAll(club_id, [{ student_id, delivery_id, cohort_id, source }], {})
      })

      const register = Effect.fn("Students.register")(
        function*(club_id: ClubId, student: NewStudent) {
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
          `.pipe(Effect.flatMap(decodeIds))
          if (written === undefined) return Option.none()
          const born = written.id === id
          if (born) {
            const origin = link === undefined ? "sign_up" : "registration_link"
            yield* events.record(club_id, { type: "student.created", student_id: id, origin })
          }
          // Before the free ones, which know no cohort: the link's delivery may be one of them.
          yield* giveLinked(club_id, written.id, student)
          if (born) yield* enrollments.grantFree(club_id, [id])
          return Option.some({ student_id: written.id, born })
        },
        sql.withTransaction,
        Effect.orDie
      )

      return Students.of({ register })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}
