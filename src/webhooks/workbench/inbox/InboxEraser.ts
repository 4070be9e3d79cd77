import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ErasureSubject, StudentEraser } from "../../../identity/erasure/StudentErasers.ts"

/**
 * Forgets what a club's inboxes took when any student of it is removed: nobody knows whom those bodies are about. The
 * inboxes come first: what is about to be kept waits for them, and then is not.
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
