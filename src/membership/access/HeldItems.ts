import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { ItemKind } from "../catalog/Delivery.ts"

/** Whose access counts, and when. */
export interface Holder {
  readonly club_id: ClubId
  readonly student_id: StudentId
  readonly now: Date
}

// An access that is neither revoked nor over and has begun, by which the student has what its delivery contains.
const holding = (sql: SqlClient.SqlClient, { club_id, now, student_id }: Holder, kind: ItemKind) =>
  sql`
    from enrollments held_by
    join delivery_items held on held.club_id = held_by.club_id and held.delivery_id = held_by.delivery_id
    where held_by.club_id = ${club_id} and held_by.student_id = ${student_id} and held.kind = ${kind}
      and held_by.revoked_at is null and held_by.starts_at <= ${now}
      and (held_by.expires_at is null or held_by.expires_at > ${now})`

/** For a condition on one row: whether the student has this item now. `item` is a column or a parameter. */
export const holdsItem = (
  sql: SqlClient.SqlClient,
  holder: Holder,
  kind: ItemKind,
  item: Fragment
): Fragment => sql`exists (select ${holding(sql, holder, kind)} and held.item_id = ${item})`

/**
 * For `= any (…)`: the ids of all items of this kind that the student has now. As an array they are read once; a list that
 * asks of each row instead may be planned as a search for every row.
 */
export const heldItemIds = (sql: SqlClient.SqlClient, holder: Holder, kind: ItemKind): Fragment =>
  sql`array(select held.item_id ${holding(sql, holder, kind)})`
