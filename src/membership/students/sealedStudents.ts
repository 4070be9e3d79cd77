import type { SealedRows } from "../../platform/sql/SealedRows.ts"

/** The sealed columns of students. */
export const sealedStudents: ReadonlyArray<SealedRows> = [
  { table: "students", columns: ["document"], what: "tax documents of students", end: { by: "worker" } }
]
