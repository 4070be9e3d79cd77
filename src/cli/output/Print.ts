import { Effect, Stdio, Terminal } from "effect"
import { TerminalCapabilities } from "effect/cli"
import { JsonFlag, JsonLinesFlag } from "../flags/RemoteFlags.ts"
import { harmlessJson } from "./Harmless.ts"
import { type Column, makeTable, separated } from "./Table.ts"
import { note, write, writeLine } from "./Write.ts"

/** How output is written: for people, for programs that read lines, or as JSON. */
export type Form = "table" | "separated" | "json" | "jsonl"

const isTerminal = Stdio.Stdio.use(({ stdoutIsTerminal }) => stdoutIsTerminal)

/** The form that the flags ask for; without them a table on a terminal, and lines for whatever else reads. */
export const outputForm = Effect.gen(function*() {
  if (yield* JsonFlag) return "json"
  if (yield* JsonLinesFlag) return "jsonl"
  return (yield* isTerminal) ? "table" : "separated"
}) satisfies Effect.Effect<Form, never, unknown>

/** How wide the terminal is, and whether it shows colours. */
export const terminalLook = Effect.gen(function*() {
  const terminal = yield* Terminal.Terminal
  const { canColor } = yield* TerminalCapabilities.TerminalCapabilities
  return { width: yield* terminal.columns, colour: canColor }
})

/** A JSON document: on several lines for people, on one for programs. */
export const writeJson = Effect.fnUntraced(function*(value: unknown) {
  const isPretty = (yield* isTerminal) && !(yield* JsonLinesFlag)
  yield* writeLine(harmlessJson(JSON.stringify(value, undefined, isPretty ? 2 : 0)))
})

/** Prints rows as they come, a page at a time, and stores no row. Call `end` after the last. */
export interface RowPrinter<Row> {
  readonly page: (rows: ReadonlyArray<Row>) => Effect.Effect<void, Effect.Error<ReturnType<typeof write>>>
  readonly end: Effect.Effect<void, Effect.Error<ReturnType<typeof write>>>
}

const jsonArray = <Row>(): RowPrinter<Row> => {
  let isFirst = true
  const before = () => {
    const text = isFirst ? "[\n" : ",\n"
    isFirst = false
    return text
  }
  return {
    page: (rows) => write(rows.map((row) => before() + harmlessJson(JSON.stringify(row))).join("")),
    end: Effect.suspend(() => write(isFirst ? "[]\n" : "\n]\n"))
  }
}

const jsonLines = <Row>(): RowPrinter<Row> => ({
  page: (rows) => write(rows.map((row) => `${harmlessJson(JSON.stringify(row))}\n`).join("")),
  end: Effect.void
})

/** The printer of JSON: one document, or one on each line. */
export const jsonPrinter = <Row>() =>
  Effect.map(JsonLinesFlag, (isLines) => isLines ? jsonLines<Row>() : jsonArray<Row>())

/** The printer for the chosen form. Without rows it prints `nothing`, to people alone. */
export const rowPrinter = Effect.fnUntraced(function*<Row>(columns: ReadonlyArray<Column<Row>>, nothing: string) {
  const form = yield* outputForm
  if (form === "json") return jsonArray<Row>()
  if (form === "jsonl") return jsonLines<Row>()
  if (form === "separated") {
    const printer: RowPrinter<Row> = { page: (rows) => write(separated(columns, rows)), end: Effect.void }
    return printer
  }
  const table = makeTable(columns, yield* terminalLook)
  let isFirst = true
  const printer: RowPrinter<Row> = {
    page: (rows) => {
      if (rows.length === 0) return Effect.void
      const head = isFirst ? table.head(rows) : ""
      isFirst = false
      return write(head + table.body(rows))
    },
    end: Effect.suspend(() => isFirst ? note(nothing) : Effect.void)
  }
  return printer
})

/** The same for what has no end: where JSON was asked for, a document on each line. */
export const endlessPrinter = <Row>(columns: ReadonlyArray<Column<Row>>) =>
  Effect.flatMap(outputForm, (form) => form === "json" ? Effect.succeed(jsonLines<Row>()) : rowPrinter(columns, ""))

/** Prints rows that are all there. */
export const printRows = Effect.fnUntraced(function*<Row>(
  columns: ReadonlyArray<Column<Row>>,
  rows: ReadonlyArray<Row>,
  nothing: string
) {
  const printer = yield* rowPrinter(columns, nothing)
  yield* printer.page(rows)
  yield* printer.end
})

/** Prints one thing: its JSON as it is, or its fields as a table of names and values. */
export const printFields = Effect.fnUntraced(function*<Row>(columns: ReadonlyArray<Column<Row>>, row: Row) {
  const form = yield* outputForm
  if (form === "json" || form === "jsonl") return yield* writeJson(row)
  const longest = Math.max(...columns.map(({ title }) => title.length))
  const fields = columns.map(({ title, tone, value }) => ({ title, tone, value: value(row) }))
  if (form === "separated") {
    return yield* write(separated([{ title: "", value: ({ title }) => title }, {
      title: "",
      value: ({ value }) => value
    }], fields))
  }
  const { colour } = yield* terminalLook
  for (const { title, tone, value } of fields) {
    const table = makeTable([{ title: "", value: () => value, ...(tone === undefined ? {} : { tone }) }], {
      width: 0,
      colour
    })
    table.head([undefined])
    yield* write(`${title.padEnd(longest)}  ${table.body([undefined])}`)
  }
})
