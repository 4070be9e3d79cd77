import { Effect } from "effect"
import { textAt, type Thing } from "../output/Json.ts"
import { rowPrinter } from "../output/Print.ts"
import type { Column } from "../output/Table.ts"
import { note } from "../output/Write.ts"
import { eachPage, type Wanted } from "./Answers.ts"

/** A column with what is at a path of a thing. */
export const at = (title: string, ...path: readonly [string, ...Array<string>]): Column<Thing> => ({
  title,
  value: (thing) => textAt(thing, ...path)
})

/** The same for a moment: to the second, in UTC. */
export const momentAt = (title: string, ...path: readonly [string, ...Array<string>]): Column<Thing> => ({
  title,
  value: (thing) => textAt(thing, ...path).replace(/\.\d+Z$/, "Z")
})

interface Page {
  readonly data: ReadonlyArray<Thing>
  readonly next_cursor: string | null
}

/** Prints as much of a list as is wanted, a page at a time, and tells people if there is more. */
export const printList = Effect.fnUntraced(function*<E, R>(
  columns: ReadonlyArray<Column<Thing>>,
  wanted: Wanted,
  nothing: string,
  load: (page: { readonly limit: number; readonly cursor?: string }) => Effect.Effect<Page, E, R>
) {
  const printer = yield* rowPrinter(columns, nothing)
  const isMore = yield* eachPage(wanted, load, printer.page)
  yield* printer.end
  if (isMore) yield* note("There are more: --limit N for more of them, --all for all")
})
