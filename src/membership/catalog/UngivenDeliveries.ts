import type { WorkQueue } from "../../platform/jobs/WorkQueue.ts"

/** Free deliveries that not every student has yet. */
export const ungivenDeliveries: WorkQueue = {
  name: "free_deliveries",
  waiting: (sql) => sql`from deliveries where free_from is not null`,
  oldest: (sql) => sql`(null::timestamptz)`,
  nextDue: (sql) =>
    sql`(select timestamptz 'epoch' from deliveries where free_from is not null order by free_from, id limit 1)`
}
