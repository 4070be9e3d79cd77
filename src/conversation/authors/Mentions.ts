import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { MentionUnknown } from "./Mention.ts"

/** The mentions in one kind of text: the table, its column with the id of the text, and the table of the texts. */
interface MentionTable {
  readonly mentions: string
  readonly of: string
  readonly texts: string
}

/** The people named in the text of the row `text`, as JSON. Omits removed ones. */
export const mentionsOf = (
  sql: SqlClient.SqlClient,
  { mentions, of }: MentionTable,
  text: Fragment
): Fragment =>
  sql`
    coalesce((
      select jsonb_agg(
        jsonb_build_object(
          'id', coalesce(s.id, u.id), 'name', coalesce(s.name, u.name),
          'role', case when s.id is null then 'staff' else 'student' end
        ) order by m.position
      )
      from ${sql(mentions)} m
      left join students s on s.club_id = m.club_id and s.id = m.student_id
      left join users u on u.id = m.user_id
      where m.club_id = ${text}.club_id and m.${sql(of)} = ${text}.id and s.removed_at is null
    ), '[]')`

/**
 * Keeps the people that a new text names, in the caller's transaction. The lock orders this with removals. A student who is removed
 * at this moment is mentioned before, and the removal deletes the mention. Otherwise the student is not mentioned at all.
 */
export const insertMentions = Effect.fnUntraced(function*(
  sql: SqlClient.SqlClient,
  { mentions, of }: MentionTable,
  { club_id, id }: { readonly club_id: ClubId; readonly id: string },
  people: ReadonlyArray<string>
) {
  if (people.length === 0) return
  yield* sql`
    select 1 from students where club_id = ${club_id} and id = any(${uuids(people)}) order by id for key share`
  const named = yield* sql`
    insert into ${sql(mentions)} (club_id, ${sql(of)}, position, student_id, user_id)
    select ${club_id}::uuid, ${id}::uuid, asked.position, s.id, m.user_id
    from unnest(${uuids(people)}) with ordinality as asked (id, position)
    left join students s on s.club_id = ${club_id} and s.id = asked.id and s.removed_at is null
    left join members m on m.club_id = ${club_id} and m.user_id = asked.id
    where num_nonnulls(s.id, m.user_id) = 1
    returning 1`
  if (named.length < people.length) return yield* new MentionUnknown()
})

/**
 * Deletes the mentions of a person, and those in the person's own texts. Locked in one order, because two people who
 * mentioned each other may be removed at once.
 */
export const forgetMentions = (
  sql: SqlClient.SqlClient,
  { mentions, of, texts }: MentionTable,
  { club_id, student_id }: { readonly club_id: ClubId; readonly student_id: string }
) =>
  sql`
    with known as materialized (
      select m.club_id, m.${sql(of)} as text_id, m.position from ${sql(mentions)} m
      where m.club_id = ${club_id} and (m.${sql(of)}, m.position) in (
        select own.${sql(of)}, own.position from ${sql(mentions)} own
        where own.club_id = ${club_id} and own.student_id = ${student_id}
        union all
        select said.${sql(of)}, said.position
        from ${sql(texts)} c join ${sql(mentions)} said on said.club_id = c.club_id and said.${sql(of)} = c.id
        where c.club_id = ${club_id} and c.student_id = ${student_id}
      )
      order by m.${sql(of)}, m.position for update
    )
    delete from ${sql(mentions)} m using known
    where m.club_id = known.club_id and m.${sql(of)} = known.text_id and m.position = known.position
    returning 1`
