import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { said, spoken } from "../client/Language.ts"
import type { LongList } from "../client/LongList.ts"
import { Failure, Loading } from "./States.tsx"
import { windowOf } from "./Window.ts"

const words = spoken({ more: "Loading more" }, { more: "Carregando mais" })

/** A column of a table. */
export interface Column<A> {
  readonly key: string
  readonly head: string
  readonly cell: (item: A) => ComponentChildren
  /** Numbers stand at the end, with figures of one width. */
  readonly isNumber?: boolean
  /**
   * Its place in the card that a row is on a phone. The first column is the card's name; a card has no others.
   * `headed`: a detail with its heading before it.
   */
  readonly onCard?: "action" | "detail" | "headed" | "state"
  /** As CSS has it; columns without one share the rest. */
  readonly width?: string
}

interface TableProps<A> {
  /** The name of the table, for readers who do not see it. */
  readonly label: string
  readonly columns: ReadonlyArray<Column<A>>
  readonly list: LongList<A>
  readonly keyOf: (item: A) => string
  /** The target of a row. The first column is the link. */
  readonly to?: (item: A) => string
  /** In place of a table without rows. */
  readonly empty: ComponentChildren
}

/** In pixels, until a row was measured. */
const usualRow = 44

const classOf = ({ isNumber, onCard }: Column<never>) =>
  [...(isNumber === true ? ["number"] : []), ...(onCard === undefined ? [] : [`on-card ${onCard}`])].join(" ")

const isRead = (row: HTMLElement) => !row.classList.contains("unread")

/** The mean, in pixels: each card of a phone has its own height. Undefined until a row is read. */
const heightOf = (rows: ReadonlyArray<HTMLElement>) => {
  const read = rows.filter(isRead)
  const sum = read.reduce((all, { offsetHeight }) => all + offsetHeight, 0)
  return sum === 0 ? undefined : sum / read.length
}

/** A list of any length: the rows that are looked at are there, and room for the others. */
export function Table<A>({ columns, empty, keyOf, label, list, to }: TableProps<A>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const height = useSignal(usualRow)
  const shown = useSignal({ from: 0, to: 50 })

  const measuredAt = useRef<number | undefined>(undefined)

  const measure = () => {
    const element = body.current
    if (element === null) return
    // Once for each width of the page: a mean that follows the rows shown would move them.
    if (measuredAt.current !== innerWidth) {
      const found = heightOf([...element.querySelectorAll<HTMLElement>("tr[data-row]")])
      if (found !== undefined) {
        measuredAt.current = innerWidth
        height.value = found
      }
    }
    const { from, to } = windowOf({
      rows: list.rows,
      height: height.peek(),
      top: element.getBoundingClientRect().top,
      visible: innerHeight
    })
    if (from !== shown.peek().from || to !== shown.peek().to) shown.value = { from, to }
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

  const { from, to: end } = shown.value
  const last = Math.min(end, list.rows)
  const first = Math.min(from, last)
  useEffect(() => list.look(first, last), [first, last, list.rows, list.look])

  if (list.rows === 0 && list.error !== undefined) return <Failure error={list.error} again={list.reload} />
  if (list.rows === 0) return list.isLoading ? <Loading /> : <>{empty}</>

  const rows = Array.from(
    { length: last - first },
    (_, index) => ({ row: first + index, item: list.item(first + index) })
  )
  return (
    <div class="table cards">
      <table aria-rowcount={list.total === undefined ? -1 : list.total + 1}>
        <caption class="visually-hidden">{label}</caption>
        <colgroup>
          {columns.map((column) => (
            <col
              key={column.key}
              class={classOf(column)}
              {...(column.width === undefined ? {} : { style: { width: column.width } })}
            />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map((column) => <th key={column.key} scope="col" class={classOf(column)}>{column.head}</th>)}
          </tr>
        </thead>
        <tbody ref={body}>
          {first > 0 && (
            <tr aria-hidden="true">
              <td style={{ height: `${first * height.value}px` }} />
            </tr>
          )}
          {rows.map(({ item, row }) =>
            item === undefined
              ? (
                <tr key={`row ${row}`} data-row class="unread" aria-rowindex={row + 2}>
                  <td style={{ height: `${height.value}px` }}>
                    <span class="visually-hidden">{said(words).more}</span>
                  </td>
                </tr>
              )
              : (
                <tr key={keyOf(item)} data-row aria-rowindex={row + 2}>
                  {columns.map((column, index) => (
                    <td
                      key={column.key}
                      class={classOf(column)}
                      {...(column.onCard === "headed" ? { "data-head": column.head } : {})}
                    >
                      {index === 0 && to !== undefined
                        ? <a class="row" href={to(item)}>{column.cell(item)}</a>
                        : column.cell(item)}
                    </td>
                  ))}
                </tr>
              )
          )}
          {last < list.rows && (
            <tr aria-hidden="true">
              <td style={{ height: `${(list.rows - last) * height.value}px` }} />
            </tr>
          )}
        </tbody>
      </table>
      {list.error !== undefined && <Failure error={list.error} again={list.reload} />}
    </div>
  )
}
