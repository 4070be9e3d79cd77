import type { SealedRows } from "../../platform/sql/SealedRows.ts"
import { rawRetention } from "./inbound/InboundRetention.ts"

/** The sealed columns of sales platforms. */
export const sealedSales: ReadonlyArray<SealedRows> = [
  {
    table: "inbound_webhooks",
    columns: ["token", "secret"],
    what: "addresses and secrets of sales platforms' hooks",
    end: { by: "worker" }
  },
  {
    table: "inbound_events",
    columns: ["raw"],
    what: "what sales platforms sent",
    end: { by: "age", column: "received_at", after: rawRetention }
  }
]
