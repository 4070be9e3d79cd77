import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { said, spoken } from "../../browser/client/Language.ts"
import type { LongList } from "../../browser/client/LongList.ts"
import { Failure, Loading } from "../../browser/parts/States.tsx"
import { windowOf } from "../../browser/parts/Window.ts"

const words = spoken({ more: "Loading more" }, { more: "Carregando mais" })

interface RowsProps<A> {
  /** The name of the list, for readers who do not see it. */
  readonly label: string
  readonly list: LongList<A>
  readonly keyOf: (item: A) => string
  readonly children: (item: A) => ComponentChildren
  /** In place of a list without items. */
  readonly empty: ComponentChildren
}

/** In pixels, until a row was measured. */
const usualRow = 128

/** A list of any length whose rows have one height: the rows that are looked at are there, and room for the others. */
export function Rows<A>({ children, empty, keyOf, label, list }: RowsProps<A>) {
  const body = useRef<HTMLUListElement>(null)
  const height = useSignal(usualRow)
  const shown = useSignal({ from: 0, to: 30 })

  const measure = () => {
    const element = body.current
    if (element === null) return
    const row = element.querySelector<HTMLElement>("li[data-row]")
    if (row !== null && row.offsetHeight > 0) height.value = row.offsetHeight
    const next = windowOf({
      rows: list.rows,
      placeOf: (row) => row * height.peek(),
      top: element.getBoundingClientRect().top,
      visible: innerHeight
    })
    if (next.from !== shown.peek().from || next.to !== shown.peek().to) shown.value = next
  }
  useLayoutEffect(measure)
  useEffect(() => {
    addEventListener("scroll", measure, { passive: true })
    addEventListener("resize", measure)
    return () => {
      removeEventListener("scroll", measure)
      removeEventListener("resize", measure)
    }
  }, [list.rows])

  const last = Math.min(shown.value.to, list.rows)
  const first = Math.min(shown.value.from, last)
  useEffect(() => list.look(first, last), [first, last, list.rows, list.look])

  if (list.rows === 0 && list.error !== undefined) return <Failure error={list.error} again={list.reload} />
  if (list.rows === 0) return list.isLoading ? <Loading /> : <>{empty}</>
  const rows = Array.from({ length: last - first }, (_, index) => first + index)
  return (
    <>
      <ul class="plain-list rows" aria-label={label} ref={body}>
        {first > 0 && <li class="room" aria-hidden="true" style={{ blockSize: `${first * height.value}px` }} />}
        {rows.map((row) => {
          const item = list.item(row)
          return (
            <li
              key={item === undefined ? `row ${row}` : keyOf(item)}
              data-row
              aria-posinset={row + 1}
              aria-setsize={list.total ?? -1}
            >
              {item === undefined ? <span class="visually-hidden">{said(words).more}</span> : children(item)}
            </li>
          )
        })}
        {last < list.rows && (
          <li class="room" aria-hidden="true" style={{ blockSize: `${(list.rows - last) * height.value}px` }} />
        )}
      </ul>
      {list.error !== undefined && <Failure error={list.error} again={list.reload} />}
    </>
  )
}
