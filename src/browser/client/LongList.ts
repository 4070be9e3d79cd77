import type { TurmaError } from "../../sdk/index.ts"
import type { Page } from "./Paged.ts"

/** A long list in a component. */
export interface LongList<A> {
  readonly rows: number
  /** Number of rows in all. Undefined until the end is known. */
  readonly total: number | undefined
  readonly item: (row: number) => A | undefined
  readonly isLoading: boolean
  readonly error: TurmaError | undefined
  /** Names the visible rows. The list reads those that are not in memory. */
  readonly look: (from: number, to: number) => void
  /** Reads anew what is known; the place in the list stays. A list that is followed begins anew. */
  readonly reload: () => void
  /** Shows this one in place of the one that is the same. */
  readonly replace: (item: A, isSame: (known: A) => boolean) => void
}

/** Asks for a page of at most `limit` items. */
export interface LoadPage<A> {
  (
    page: { readonly cursor: string | undefined; readonly limit: number; readonly signal: AbortSignal }
  ): PromiseLike<Page<A>>
}
