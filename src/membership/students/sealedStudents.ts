import type { SealedRows } from "../../platform/sql/SealedRows.ts"

/** What of students is sealed. */
export const sealedStudents: ReadonlyArray<SealedRows> = [
  { table: "students", columns: ["document"], what: "tax documents of students", end: { by: "worker" } }
]
