import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { said, spoken } from "../client/Language.ts"
import type { LongList } from "../client/LongList.ts"
import { measured, placeIn, unmeasured } from "./Heights.ts"
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

/** The numbers and heights of the rows that were read and are there: each card of a phone has its own height. */
const rowsIn = (body: HTMLElement) =>
  Array.from(
    body.querySelectorAll<HTMLElement>("tr[data-row]:not(.unread)"),
    (row) => [Number(row.dataset["row"]), row.getBoundingClientRect().height] as const
  ).filter(([, height]) => height > 0)

/** A list of any length: the rows that are looked at are there, and room for the others. */
export function Table<A>({ columns, empty, keyOf, label, list, to }: TableProps<A>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const heights = useSignal(unmeasured(usualRow))
  const shown = useSignal({ from: 0, to: 50 })

  const measure = () => {
    const element = body.current
    if (element === null) return
    heights.value = measured(heights.peek(), innerWidth, rowsIn(element))
    const { from, to } = windowOf({
      rows: list.rows,
      placeOf: placeIn(heights.peek()),
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

  const placeOf = placeIn(heights.value)
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
              <td style={{ height: `${placeOf(first)}px` }} />
            </tr>
          )}
          {rows.map(({ item, row }) =>
            item === undefined
              ? (
                <tr key={`row ${row}`} data-row={row} class="unread" aria-rowindex={row + 2}>
                  <td style={{ height: `${placeOf(row + 1) - placeOf(row)}px` }}>
                    <span class="visually-hidden">{said(words).more}</span>
                  </td>
                </tr>
              )
              : (
                <tr key={keyOf(item)} data-row={row} aria-rowindex={row + 2}>
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
              <td style={{ height: `${placeOf(list.rows) - placeOf(last)}px` }} />
            </tr>
          )}
        </tbody>
      </table>
      {list.error !== undefined && <Failure error={list.error} again={list.reload} />}
    </div>
  )
}
