import type { ComponentChildren } from "preact"
import { said, spoken } from "../client/Language.ts"
import type { LongList } from "../client/LongList.ts"
import { More } from "./More.tsx"
import { Failure, Loading } from "./States.tsx"

const words = spoken({ more: "Show more" }, { more: "Mostrar mais" })

interface FeedProps<A> {
  /** The name of the list. */
  readonly label: string
  readonly list: LongList<A>
  readonly keyOf: (item: A) => string
  readonly children: (item: A) => ComponentChildren
  /** In place of a list without items. */
  readonly empty: ComponentChildren
}

/** A list of items of any height. It reads on when the reader asks for more. */
export function Feed<A>({ children, empty, keyOf, label, list }: FeedProps<A>) {
  if (list.rows === 0 && list.error !== undefined) return <Failure error={list.error} again={list.reload} />
  if (list.rows === 0) return list.isLoading ? <Loading /> : <>{empty}</>
  const known = Array.from({ length: list.rows }, (_, row) => list.item(row)).filter((item) => item !== undefined)
  return (
    <div class="stack">
      <ul class="plain-list stack feed" aria-label={label}>
        {known.map((item) => (
          <li key={keyOf(item)} class="card">
            {children(item)}
          </li>
        ))}
      </ul>
      {list.error !== undefined && <Failure error={list.error} again={list.reload} />}
      <More list={list} label={said(words).more} />
    </div>
  )
}
