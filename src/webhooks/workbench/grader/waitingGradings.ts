import type { WorkQueue } from "../../../platform/jobs/WorkQueue.ts"

/** Gradings that a worker takes up: they were asked for, or the lease of who made them is over. */
export const waitingGradings: WorkQueue = {
  name: "webhook_gradings",
  waiting: (sql) => sql`from webhook_gradings where due_at is not null`,
  nextDue: (sql) => sql`(select min(due_at) from webhook_gradings where due_at is not null)`
}
