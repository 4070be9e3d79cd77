import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import type { NextPage } from "../../identity/tokens/NextPage.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { DeliveryItems } from "../catalog/DeliveryItems.ts"

/** The deliveries of a student as a mail about their access names them. */
export interface Given {
  /** Oldest access first. */
  readonly names: ReadonlyArray<string>
  /** The page of the classroom that shows it all: that of the course, if it is exactly one. */
  readonly page: Option.Option<NextPage>
}

/** For a student without deliveries. */
export const nothingGiven: Given = { names: [], page: Option.none() }

const Access = Schema.Struct({
  student_id: StudentId,
  name: Schema.String,
  free: Schema.Boolean,
  courses: Schema.Array(Schema.String)
})
type Access = typeof Access.Type

const decodeAccesses = rows(Access)

/** A mail names the deliveries that not everybody has. Free ones count only if there is nothing else. */
const named = (accesses: ReadonlyArray<Access>): ReadonlyArray<Access> => {
  const own = accesses.filter(({ free }) => !free)
  return own.length > 0 ? own : accesses
}

/** The course if it is exactly one. */
const onlyCourse = (accesses: ReadonlyArray<Access>): string | undefined => {
  const [course, ...others] = new Set(accesses.flatMap(({ courses }) => courses))
  return others.length === 0 ? course : undefined
}

/** The deliveries of students, for mails about their access. */
export class GivenDeliveries extends Context.Service<GivenDeliveries, {
  /** Of accesses that are neither revoked nor expired. Two statements at most. */
  of(club_id: ClubId, student_ids: ReadonlyArray<StudentId>): Effect.Effect<ReadonlyMap<StudentId, Given>>
}>()("turma/membership/access/GivenDeliveries") {
  static readonly layer = Layer.effect(
    GivenDeliveries,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const items = yield* DeliveryItems

      const accessesOf = Effect.fnUntraced(function*(club_id: ClubId, student_ids: ReadonlyArray<StudentId>) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        return yield* sql`
          select e.student_id, d.name, d.free, array(
            select i.item_id from delivery_items i
            where i.club_id = d.club_id and i.delivery_id = d.id and i.kind = 'course' order by i.position
          ) as courses
          from enrollments e join deliveries d on d.club_id = e.club_id and d.id = e.delivery_id
          where e.club_id = ${club_id} and e.student_id = any(${uuids(student_ids)}) and e.revoked_at is null
            and (e.expires_at is null or e.expires_at > ${now})
          order by e.student_id, e.id`.pipe(decodeAccesses)
      })

      const of = Effect.fn("GivenDeliveries.of")(function*(club_id: ClubId, student_ids: ReadonlyArray<StudentId>) {
        const byStudent = Map.groupBy(yield* accessesOf(club_id, student_ids), ({ student_id }) => student_id)
        const given = [...byStudent].map(([student_id, accesses]) => ({
          student_id,
          names: [...new Set(named(accesses).map(({ name }) => name))],
          course: onlyCourse(named(accesses))
        }))
        const courses = [...new Set(given.flatMap(({ course }) => course ?? []))]
        const pages = new Map((yield* items.pages(club_id, "course", courses)).map(({ id, page }) => [id, page]))
        return new Map(given.map(({ course, names, student_id }): readonly [StudentId, Given] => [student_id, {
          names,
          page: Option.fromUndefinedOr(course === undefined ? undefined : pages.get(course))
        }]))
      })

      return GivenDeliveries.of({ of })
    })
  )
}
