import type { SealedRows } from "../../../platform/sql/SealedRows.ts"

/** The sealed columns of imports. */
export const sealedImports: ReadonlyArray<SealedRows> = [
  { table: "student_import_chunks", columns: ["content"], what: "rows of imports under way", end: { by: "work" } }
]
