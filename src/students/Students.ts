import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../clubs/Club.ts"
import { Events } from "../events/Events.ts"
import { StudentId } from "./Student.ts"

const decodeIds = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: StudentId })))

/** A person whose address is proven and who chose a password. */
export interface NewStudent {
  readonly email: string
  readonly name: string
  readonly password_hash: string
  readonly verified_at: DateTime.Utc
}

/** The students of clubs. */
export class Students extends Context.Service<Students, {
  /**
   * A new student, which is a `student.created`, or the password of one who had none. None if the address has a password
   * by now.
   */
  register(club_id: ClubId, student: NewStudent): Effect.Effect<Option.Option<StudentId>>
}>()("turma/students/Students") {
  static readonly layerNoDeps = Layer.effect(
    Students,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const events = yield* Events

      const register = Effect.fn("Students.register")(
        function*(club_id: ClubId, student: NewStudent) {
          const verified_at = DateTime.toDateUtc(student.verified_at)
          const created_at = DateTime.toDateUtc(yield* DateTime.now)
          const row = { ...student, club_id, id: StudentId.make(yield* random.uuidV7()), verified_at, created_at }
          const [written] = yield* sql`
            insert into students ${sql.insert(row)}
            on conflict (club_id, email) do update
              set password_hash = excluded.password_hash,
                verified_at = coalesce(students.verified_at, excluded.verified_at)
              where students.password_hash is null
            returning id
          `.pipe(Effect.flatMap(decodeIds))
          if (written === undefined) return Option.none()
          if (written.id === row.id) {
            yield* events.record(club_id, { type: "student.created", student_id: row.id, origin: "sign_up" })
          }
          return Option.some(written.id)
        },
        sql.withTransaction,
        Effect.orDie
      )

      return Students.of({ register })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}
