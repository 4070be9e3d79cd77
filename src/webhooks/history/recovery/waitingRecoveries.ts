import type { WorkQueue } from "../../../platform/jobs/WorkQueue.ts"

/** Recoveries that a worker looks at again: they count, move, or wait until what they moved has ended. */
export const waitingRecoveries: WorkQueue = {
  name: "webhook_recoveries",
  waiting: (sql) => sql`from webhook_recoveries where due_at is not null`,
  nextDue: (sql) => sql`(select min(due_at) from webhook_recoveries where due_at is not null)`
}
