import type { LongList } from "../client/LongList.ts"

/** A button that reads the next page of a list. Nothing if the list is whole. */
export function More<A>({ label, list }: { readonly list: LongList<A>; readonly label: string }) {
  if (list.rows === 0 || list.item(list.rows - 1) !== undefined) return null
  return (
    <button
      type="button"
      class="quiet"
      aria-busy={list.isLoading}
      onClick={() => list.look(list.rows - 1, list.rows)}
    >
      {label}
    </button>
  )
}
