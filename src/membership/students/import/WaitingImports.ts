import type { WorkQueue } from "../../../platform/jobs/WorkQueue.ts"

/** Imports with waiting rows, including those that wait for an earlier import of the club. */
export const waitingImports: WorkQueue = {
  name: "student_imports",
  waiting: (sql) => sql`from student_imports where due_at is not null`,
  nextDue: (sql) => sql`(select min(due_at) from student_imports where due_at is not null)`
}
