import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ErasureSubject, StudentEraser } from "../../../identity/erasure/StudentErasers.ts"

/**
 * Erases all requests of a club's inboxes with the removal of any of its students: nobody knows which student those
 * bodies are about. It locks the inboxes first: a request that comes meanwhile waits for them and is then not kept.
 */
export const inboxEraser = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const erase = Effect.fn("InboxEraser.erase")(function*({ club_id }: ErasureSubject) {
    const inboxes = yield* sql`
      update webhook_inboxes set erasures = erasures + 1 where club_id = ${club_id} returning 1`
    if (inboxes.length === 0) return { inbox_requests: 0 }
    const requests = yield* sql`delete from webhook_inbox_requests where club_id = ${club_id} returning 1`
    return { inbox_requests: requests.length }
  }, Effect.orDie)
  return { turn: "last", erase } satisfies StudentEraser
})
