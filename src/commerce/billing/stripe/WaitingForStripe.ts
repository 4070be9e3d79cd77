import type { Backlog } from "../../../platform/jobs/WorkQueue.ts"

/** Changes that have not reached Stripe, and unprocessed events from Stripe. */
export const waitingForStripe: ReadonlyArray<Backlog> = [
  {
    name: "billing_changes",
    nextDue: (sql) => sql`(select min(next_attempt_at) from billing_changes where status = 'pending')`,
    waiting: (sql) => sql`from billing_changes where status = 'pending'`
  },
  {
    name: "billing_events",
    nextDue: (sql) => sql`(select min(next_attempt_at) from billing_events where status = 'pending')`,
    waiting: (sql) => sql`from billing_events where status = 'pending'`
  }
]
