import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { ItemSource } from "../../membership/catalog/DeliveryItems.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { CommunityId } from "./Community.ts"

const decodeIds = rows(Schema.Struct({ id: CommunityId }))

/** The club's community as an item of deliveries. */
export const communityItems = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  const existing = Effect.fnUntraced(function*(club_id: ClubId, ids: ReadonlyArray<string>) {
    const rows = yield* sql`select id from communities where club_id = ${club_id} and id = any(${uuids(ids)})`
      .pipe(decodeIds)
    return rows.map(({ id }) => id)
  })

  return { kind: "community", existing } satisfies ItemSource
})
