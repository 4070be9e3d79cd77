import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Events } from "../../events/Events.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { StudentLocks } from "../../identity/students/StudentLocks.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { faultsDie, firstOr } from "../../platform/sql/Rows.ts"
import { OwnAccount, type OwnAccountPatch } from "./OwnAccount.ts"

const decodeAccount = firstOr(
  Schema.Struct({ ...OwnAccount.fields, club: Schema.toCodecJson(OwnAccount.fields.club) }),
  () => new NotFound()
)

/** The accounts of students, each for its holder. `NotFound`: the club has no such student. */
export class OwnAccounts extends Context.Service<OwnAccounts, {
  read(club_id: ClubId, student_id: StudentId): Effect.Effect<OwnAccount, NotFound>
  /** Another name is a `student.updated`. */
  patch(
    club_id: ClubId,
    student_id: StudentId,
    patch: OwnAccountPatch
  ): Effect.Effect<OwnAccount, NotFound | StudentRemoved>
}>()("turma/membership/students/OwnAccounts") {
  static readonly layer = Layer.effect(
    OwnAccounts,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const students = yield* StudentLocks
      const events = yield* Events

      const read = Effect.fn("OwnAccounts.read")(function*(club_id: ClubId, student_id: StudentId) {
        return yield* sql`
          select s.id, s.name, s.email, s.password_hash is not null as has_password, s.created_at,
            jsonb_build_object(
              'organization_id', c.organization_id, 'name', c.name, 'slug', c.slug, 'time_zone', c.time_zone,
              'locale', c.locale
            ) as club
          from students s join clubs c on c.id = s.club_id
          where s.club_id = ${club_id} and s.id = ${student_id}`.pipe(decodeAccount)
      })

      const patch = Effect.fn("OwnAccounts.patch")(
        function*(club_id: ClubId, student_id: StudentId, { name }: OwnAccountPatch) {
          yield* students.lock(club_id, student_id)
          if (name !== undefined) {
            const changed = yield* sql`
              update students set name = ${name}
              where club_id = ${club_id} and id = ${student_id} and name <> ${name} returning 1`
            if (changed.length > 0) {
              yield* events.record(club_id, { type: "student.updated", student_id, changed: ["name"] })
            }
          }
          return yield* read(club_id, student_id)
        },
        sql.withTransaction,
        faultsDie
      )

      return OwnAccounts.of({ read, patch })
    })
  ).pipe(Layer.provide(StudentLocks.layer))
}
