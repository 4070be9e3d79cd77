import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { ItemSource } from "../../membership/catalog/DeliveryItems.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { LiveId } from "./Live.ts"

const decodeIds = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: LiveId })))

/** Lives as items of deliveries. */
export const liveItems = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  const existing = Effect.fnUntraced(function*(club_id: ClubId, ids: ReadonlyArray<string>) {
    const rows = yield* sql`
      select id from lives where club_id = ${club_id} and id = any(${uuids(ids)}) and deleted_at is null`
    return (yield* decodeIds(rows)).map(({ id }) => id)
  }, Effect.orDie)

  return { kind: "live", existing } satisfies ItemSource
})
