import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { ItemSource } from "../../membership/catalog/DeliveryItems.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { LiveId } from "./Live.ts"
import { makeLiveQueue } from "./LiveAnnouncements.ts"

const decodeIds = rows(Schema.Struct({ id: LiveId }))

/** Lives as items of deliveries. Their students are notified. */
export const liveItems = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  const existing = Effect.fnUntraced(function*(club_id: ClubId, ids: ReadonlyArray<string>) {
    const rows = yield* sql`
      select id from lives where club_id = ${club_id} and id = any(${uuids(ids)}) and deleted_at is null
    `.pipe(decodeIds)
    return rows.map(({ id }) => id)
  })

  return { kind: "live", existing, added: yield* makeLiveQueue } satisfies ItemSource
})
