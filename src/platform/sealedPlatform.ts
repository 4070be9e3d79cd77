import { Duration } from "effect"
import { giveUpAfter } from "./mail/Retry.ts"
import type { SealedRows } from "./sql/SealedRows.ts"

/** The sealed columns of mails and of stored answers. */
export const sealedPlatform: ReadonlyArray<SealedRows> = [
  {
    table: "mails",
    columns: ["content"],
    what: "mails that wait",
    end: { by: "age", column: "created_at", after: giveUpAfter }
  },
  {
    table: "idempotency_keys",
    columns: ["answer"],
    what: "answers of requests with an Idempotency-Key",
    end: { by: "age", column: "expires_at", after: Duration.zero }
  }
]
