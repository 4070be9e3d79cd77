import type { WorkQueue } from "../../../platform/jobs/WorkQueue.ts"

/** Imports with rows that wait, whether or not an earlier one of the club keeps them back. */
export const waitingImports: WorkQueue = {
  name: "student_imports",
  waiting: (sql) => sql`from student_imports where due_at is not null`,
  nextDue: (sql) => sql`(select min(due_at) from student_imports where due_at is not null)`
}
