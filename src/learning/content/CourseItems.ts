import { Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { nextPage } from "../../identity/tokens/NextPage.ts"
import type { ItemSource } from "../../membership/catalog/DeliveryItems.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { CourseId } from "./Course.ts"

const decodeIds = rows(Schema.Struct({ id: CourseId }))
const decodePublicIds = rows(Schema.Struct({ id: CourseId, public_id: Schema.String }))

/** The club's courses as items of deliveries. */
export const courseItems = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  const existing = Effect.fnUntraced(function*(club_id: ClubId, ids: ReadonlyArray<string>) {
    const rows = yield* sql`
      select id from courses where club_id = ${club_id} and id = any(${uuids(ids)}) and deleted_at is null
    `.pipe(decodeIds)
    return rows.map(({ id }) => id)
  })

  const pages = Effect.fnUntraced(function*(club_id: ClubId, ids: ReadonlyArray<string>) {
    const rows = yield* sql`
      select id, public_id from courses where club_id = ${club_id} and id = any(${uuids(ids)}) and deleted_at is null
    `.pipe(decodePublicIds)
    return rows.flatMap(({ id, public_id }) =>
      Option.match(nextPage("student", `courses/${public_id}`), { onNone: () => [], onSome: (page) => [{ id, page }] })
    )
  })

  return { kind: "course", existing, pages } satisfies ItemSource
})
