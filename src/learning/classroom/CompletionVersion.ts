import type { SqlClient, Statement } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { ItemHolder } from "../../membership/access/ItemAccess.ts"

// The number of changes of a student's completions. Every statement that writes or deletes completions of lessons or
// courses counts here, in the same transaction and under the student's lock (`StudentLocks`).

/** The version as a column, as old as everything else that the statement reads. */
export const completionVersion = (sql: SqlClient.SqlClient, { club_id, student_id }: ItemHolder) =>
  sql`coalesce((
    select v.version from completion_versions v where v.club_id = ${club_id} and v.student_id = ${student_id}
  ), 0)`

/** Counts a change, for the `with` of the statement that makes it. */
export const countChange = (sql: SqlClient.SqlClient, club_id: ClubId, student_id: StudentId) =>
  sql`
    insert into completion_versions (club_id, student_id, version) values (${club_id}, ${student_id}, 1)
    on conflict (club_id, student_id) do update set version = completion_versions.version + 1`

/**
 * Counts a change if the version is still `seen`. Then it returns a row, with the club's and the student's id. `locked`
 * is a relation with a row for the student. Reading it locks the student.
 *
 * A statement reads the database as it was before it waited for a lock. But the row inserted here meets the newest
 * version of its row. With another number nothing is changed. With the same number, all other reads of the statement
 * still hold.
 */
export const countChangeSince = (
  sql: SqlClient.SqlClient,
  club_id: ClubId,
  student_id: StudentId,
  seen: number,
  locked: Statement.Fragment
) =>
  sql`
    insert into completion_versions (club_id, student_id, version)
    select ${club_id}::uuid, ${student_id}::uuid, ${seen}::integer + 1 from ${locked}
    on conflict (club_id, student_id) do update set version = excluded.version
    where completion_versions.version = excluded.version - 1
    returning club_id, student_id`
