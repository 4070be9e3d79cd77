import type { SealedRows } from "../platform/sql/SealedRows.ts"
import { gradingsKept } from "./workbench/grader/Grading.ts"
import { inboxLife } from "./workbench/inbox/Inbox.ts"

/** The sealed columns of webhooks. */
export const sealedWebhooks: ReadonlyArray<SealedRows> = [
  {
    table: "webhook_endpoints",
    columns: ["secret", "signing_key", "headers"],
    what: "secrets, keys and headers of webhook endpoints",
    end: { by: "worker" }
  },
  {
    table: "webhook_previous_secrets",
    columns: ["secret", "signing_key"],
    what: "secrets of webhook endpoints that were replaced",
    end: { by: "worker" }
  },
  {
    table: "webhook_gradings",
    columns: ["report"],
    what: "reports of gradings",
    end: { by: "age", column: "created_at", after: gradingsKept }
  },
  {
    table: "webhook_inboxes",
    columns: ["token"],
    what: "addresses of inboxes",
    end: { by: "age", column: "created_at", after: inboxLife }
  },
  {
    table: "webhook_inbox_requests",
    columns: ["head", "body"],
    what: "what came to inboxes",
    end: { by: "age", column: "received_at", after: inboxLife }
  }
]
