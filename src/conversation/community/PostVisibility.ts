import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { hasItem, type ItemHolder } from "../../membership/access/ItemAccess.ts"

/**
 * True if a student sees the row `space` of a statement that joins their club's `community`. All of these must hold:
 * - the community is published
 * - the space is neither archived nor hidden
 * - the space is open to all, or the student has a delivery with the community
 */
export const seesSpace = (sql: SqlClient.SqlClient, holder: ItemHolder): Fragment =>
  sql`
    (community.published_at is not null and space.archived_at is null and space.visibility <> 'hidden'
      and (space.access = 'community' or ${hasItem(sql, holder, "community", sql`community.id`)}))`

/** True if a student sees the space that a post is in. `post` is a column or a parameter. */
export const seesPost = (sql: SqlClient.SqlClient, holder: ItemHolder, post: Fragment): Fragment =>
  sql`
    (
      select true from posts place
      join spaces space on space.club_id = place.club_id and space.id = place.space_id
      join communities community on community.club_id = place.club_id
      where place.club_id = ${holder.club_id} and place.id = ${post} and ${seesSpace(sql, holder)}
      limit 1
    ) is true`
