import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { ItemKind } from "../catalog/Delivery.ts"

/** The student whose access counts, and when. Each may be a column of the statement. */
export interface ItemHolder {
  readonly club_id: ClubId | Fragment
  readonly student_id: StudentId | Fragment
  readonly now: Date | Fragment
}

/**
 * For a statement that names its holder often: a relation of one row, `asked`, and the holder as columns of it. Each value
 * is then sent once. PostgreSQL puts the values where the columns stand, so the plan stays the same.
 */
export const askedOnce = (
  sql: SqlClient.SqlClient,
  { club_id, now, student_id }: ItemHolder
): { readonly asked: Fragment; readonly holder: ItemHolder } => ({
  asked: sql`
    (select ${club_id}::uuid as club_id, ${student_id}::uuid as student_id, ${now}::timestamptz as now) asked`,
  holder: { club_id: sql`asked.club_id`, student_id: sql`asked.student_id`, now: sql`asked.now` }
})

// Accesses that have begun and are neither revoked nor expired, joined with the items of their deliveries.
const accessTo = (sql: SqlClient.SqlClient, { club_id, now, student_id }: ItemHolder, kind: ItemKind) =>
  sql`
    from enrollments granted
    join delivery_items items on items.club_id = granted.club_id and items.delivery_id = granted.delivery_id
    where granted.club_id = ${club_id} and granted.student_id = ${student_id} and items.kind = ${kind}
      and granted.revoked_at is null and granted.starts_at <= ${now}
      and (granted.expires_at is null or granted.expires_at > ${now})`

/** A condition on one row: whether the student has access to this item now. `item` is a column or a parameter. */
export const hasItem = (
  sql: SqlClient.SqlClient,
  holder: ItemHolder,
  kind: ItemKind,
  item: Fragment
): Fragment => sql`exists (select ${accessTo(sql, holder, kind)} and items.item_id = ${item})`

// If a cohort starts later than its access, the access begins with the cohort.
const beginning = (sql: SqlClient.SqlClient) =>
  sql`
    greatest(granted.starts_at, (
      select cohort.starts_at from cohorts cohort
      where cohort.club_id = granted.club_id and cohort.id = granted.cohort_id
    ))`

/** As `hasItem`, by an access whose beginning, an instant, meets a condition. */
export const hasItemSince = (
  sql: SqlClient.SqlClient,
  holder: ItemHolder,
  kind: ItemKind,
  item: Fragment,
  condition: (began: Fragment) => Fragment
): Fragment =>
  sql`
    exists (
      select ${accessTo(sql, holder, kind)} and items.item_id = ${item} and (${condition(beginning(sql))})
    )`

/**
 * A condition on a row of a student: whether another student has access now to a course or the community that the holder
 * has too. `other` is a column with the student's id.
 */
export const sharesItem = (sql: SqlClient.SqlClient, holder: ItemHolder, other: Fragment): Fragment =>
  sql`
    exists (
      select from enrollments theirs
      join delivery_items shared on shared.club_id = theirs.club_id and shared.delivery_id = theirs.delivery_id
      where theirs.club_id = ${holder.club_id} and theirs.student_id = ${other}
        and theirs.revoked_at is null and theirs.starts_at <= ${holder.now}
        and (theirs.expires_at is null or theirs.expires_at > ${holder.now})
        and (
          (shared.kind = 'course' and shared.item_id = any (${accessibleItemIds(sql, holder, "course")}))
          or (shared.kind = 'community' and shared.item_id = any (${accessibleItemIds(sql, holder, "community")}))
        )
    )`

/**
 * An array for `= any (…)`: the ids of all items of this kind that the student has access to now. An array is read once,
 * while a condition on each row of a list may be planned as a search per row.
 */
export const accessibleItemIds = (sql: SqlClient.SqlClient, holder: ItemHolder, kind: ItemKind): Fragment =>
  sql`array(select items.item_id ${accessTo(sql, holder, kind)})`

/**
 * A query of one row if the student has access to this item now, otherwise no row. `began` is the beginning of the first
 * access that lasts now.
 */
export const itemSince = (
  sql: SqlClient.SqlClient,
  holder: ItemHolder,
  kind: ItemKind,
  item: Fragment
): Fragment =>
  sql`
    select min(${beginning(sql)}) as began ${accessTo(sql, holder, kind)} and items.item_id = ${item}
    having count(*) > 0`

/**
 * A query of one row about the student's accesses to this item. `began` is the beginning of the first access that lasts
 * now. `ended` is the last end of the others. Each is null without such an access.
 */
export const itemAccess = (
  sql: SqlClient.SqlClient,
  { club_id, now, student_id }: ItemHolder,
  kind: ItemKind,
  item: Fragment
): Fragment =>
  sql`
    select
      min(${beginning(sql)}) filter (where granted.lasts) as began,
      max(least(granted.expires_at, granted.revoked_at)) filter (where not granted.lasts) as ended
    from (
      select granted.*, granted.revoked_at is null and (granted.expires_at is null or granted.expires_at > ${now}) as lasts
      from enrollments granted
      where granted.club_id = ${club_id} and granted.student_id = ${student_id} and granted.starts_at <= ${now}
        and (granted.revoked_at is null or granted.revoked_at > granted.starts_at)
    ) granted
    join delivery_items items on items.club_id = granted.club_id and items.delivery_id = granted.delivery_id
    where items.kind = ${kind} and items.item_id = ${item}`
/** The students who have an item, and the page of them that is read. */
export interface ItemHolders {
  readonly club_id: ClubId
  readonly kind: ItemKind
  readonly item_id: string
  readonly now: Date
  /** The last student of the page before; null on the first. */
  readonly after: string | null
  readonly limit: number
}

/** Less than the id of every student. */
const lowest = "00000000-0000-0000-0000-000000000000"

/**
 * A query for the `student_id` of students who have access to an item now, in the order of their ids. It reads as many of
 * each delivery that contains the item, along an index.
 */
export const holdersOfItem = (sql: SqlClient.SqlClient, holders: ItemHolders): Fragment => {
  const { after, club_id, item_id, kind, limit, now } = holders
  return sql`
    select distinct holder.student_id
    from delivery_items items cross join lateral (
      select distinct granted.student_id from enrollments granted
      where granted.club_id = items.club_id and granted.delivery_id = items.delivery_id
        and granted.student_id > ${after ?? lowest}::uuid
        and granted.revoked_at is null and granted.starts_at <= ${now}
        and (granted.expires_at is null or granted.expires_at > ${now})
      order by granted.student_id limit ${limit}
    ) holder
    where items.club_id = ${club_id} and items.kind = ${kind} and items.item_id = ${item_id}
    order by holder.student_id limit ${limit}`
}
