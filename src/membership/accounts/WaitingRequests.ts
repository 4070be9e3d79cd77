import type { WorkQueue } from "../../platform/jobs/WorkQueue.ts"

/** Credential requests that wait for their mail. */
export const waitingRequests: WorkQueue = {
  name: "credential_requests",
  waiting: (sql) => sql`from credential_requests`,
  nextDue: (sql) => sql`(select min(due_at) from credential_requests)`
}
