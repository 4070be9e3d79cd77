import type { Array, Duration } from "effect"

/** How rows come to be without the key before: a worker moves them, their age ends them, or the work that they wait for. */
type SealedEnd =
  | { readonly by: "worker" }
  | { readonly by: "work" }
  /** Gone `after` this long from the moment in `column`. */
  | { readonly by: "age"; readonly column: string; readonly after: Duration.Duration }

/** The columns of one table that are sealed: a feature registers those of its tables, so that keys can be forgotten. */
export interface SealedRows {
  readonly table: string
  readonly columns: Array.NonEmptyReadonlyArray<string>
  /** A description for people. */
  readonly what: string
  readonly end: SealedEnd
}
