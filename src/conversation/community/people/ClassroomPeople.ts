import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { type ItemHolder, sharesItem } from "../../../membership/access/ItemAccess.ts"
import { scanning } from "../../../platform/sql/ReadLane.ts"
import { rows } from "../../../platform/sql/Rows.ts"
import { namePrefix } from "./NamePrefix.ts"
import { mostPeople, Person } from "./Person.ts"

const decodePeople = rows(Person)

/** The most students whose names are read, and of those that fit, the most whose courses are. A longer text finds others. */
const mostRead = 5000
const mostCandidates = 500

/** The people that a student may mention. */
export class ClassroomPeople extends Context.Service<ClassroomPeople, {
  /** Those with a word of the name that begins with the text, without the student. One statement. */
  find(student: ItemHolder, text: string): Effect.Effect<ReadonlyArray<Person>>
}>()("turma/conversation/community/people/ClassroomPeople") {
  static readonly layer = Layer.effect(
    ClassroomPeople,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      // Words begin after a space, a hyphen, an apostrophe or a full stop.
      const named = (name: Fragment, pattern: string) =>
        sql`(' ' || translate(fold(${name}), '''’.-', '    ')) like ${pattern}`

      const found = ([one, other]: readonly [string, string]) => sql`(s.search like ${one} or s.search like ${other})`

      // In an open space, everybody sees the names of those who write there.
      const writes = (student: ItemHolder) =>
        sql`
          (exists (
            select from spaces space join communities community on community.club_id = space.club_id
            where space.club_id = ${student.club_id} and community.published_at is not null
              and space.archived_at is null and space.visibility <> 'hidden' and space.access = 'community'
          ) and (
            exists (
              select from posts p where p.club_id = s.club_id and p.student_id = s.id and p.deleted_at is null
            ) or exists (
              select from comments c
              where c.club_id = s.club_id and c.student_id = s.id and c.post_id is not null and c.deleted_at is null
                and not c.pending and not c.spam
            )
          ))`

      const find = Effect.fn("ClassroomPeople.find")(function*(student: ItemHolder, text: string) {
        const prefix = namePrefix(text)
        if (prefix === undefined) return []
        const { candidates, pattern } = prefix
        return yield* sql`
            with fitting as materialized (
              select s.club_id, s.id, s.name from (
                select s.club_id, s.id, s.name from students s
                where s.club_id = ${student.club_id} and ${sql.and(candidates.map(found))}
                  and s.removed_at is null and s.id <> ${student.student_id}
                limit ${mostRead}
              ) s
              where ${named(sql`s.name`, pattern)} limit ${mostCandidates}
            )
            select u.id, u.name, 'staff' as role, 0 as place
            from members m join users u on u.id = m.user_id
            where m.club_id = ${student.club_id} and ${named(sql`u.name`, pattern)}
            union all
            select s.id, s.name, 'student', 1 from fitting s
            where ${sharesItem(sql, student, sql`s.id`)} or ${writes(student)}
            order by place, name, id limit ${mostPeople}`.pipe(decodePeople, scanning)
      })

      return ClassroomPeople.of({ find })
    })
  )
}
