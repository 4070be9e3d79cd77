import { CsvError, parse } from "csv-parse/sync"
import { Effect, Redacted, Result } from "effect"
import { delimiterOf, recordsOf, refused, type Written } from "./CsvRecords.ts"
import { textOf } from "./CsvText.ts"
import { type CsvInvalid, maxRows, TooManyRows } from "./Import.ts"
import { fold } from "./Places.ts"
import type { RawRow } from "./Row.ts"

type Column = Exclude<keyof RawRow, "line" | "surplus">

/** Headers without case, accents and what separates words; in English and Brazilian Portuguese. */
const headers: Readonly<Record<Column, ReadonlyArray<string>>> = {
  name: ["name", "full name", "nome", "nome completo"],
  email: ["email", "e mail"],
  document: ["document", "documento", "cpf", "cnpj", "cpf cnpj", "cnpj cpf", "cpf ou cnpj", "cpf e cnpj"],
  delivery: ["delivery", "entrega", "produto", "curso"],
  cohort: ["cohort", "turma"],
  expires_at: ["expires at", "expira em", "validade", "data de expiracao"]
}

const columnOf = new Map(Object.entries(headers).flatMap(([column, names]) => names.map((name) => [name, column])))

/** In characters; a longer text is no name of ours. */
const longestHeader = 100

const isBlank = (cells: ReadonlyArray<string>) => cells.every((cell) => cell.trim() === "")

interface Line {
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

// Lines without anything in them are passed over, but read, so there is an end to them too.
const mostLines = 2 * maxRows

/** The cells of these records, without those of lines that have nothing in them. */
const linesOf = (
  records: ReadonlyArray<Written>,
  delimiter: string
): Result.Result<ReadonlyArray<Line>, CsvInvalid> => {
  const read: Array<Line> = []
  let seen = 0
  const onRecord = (cells: Array<string>) => {
    const line = records[seen]?.line ?? 0
    if (!isBlank(cells)) read.push({ line, cells })
    seen += 1
    return null
  }
  try {
    parse(records.map(({ text }) => text).join("\n"), {
      delimiter,
      record_delimiter: "\n",
      relax_column_count: true,
      on_record: onRecord
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return Result.fail(refused(records[seen]?.line ?? 0, "a quote stands inside of a cell"))
  }
  return Result.succeed(read)
}

/** Takes off what the export, or a person, put before a cell that a spreadsheet would compute. */
const unguarded = (cell: string): string => /^'[\s']*[=+\-@\t\r\n]/.test(cell) ? cell.slice(1) : cell

/** Where each known column stands. */
const columnsOf = ({ cells, line }: Line): Result.Result<ReadonlyMap<string, number>, CsvInvalid> => {
  const columns = new Map<string, number>()
  for (const [index, cell] of cells.entries()) {
    const column = cell.length > longestHeader ? undefined : columnOf.get(fold(cell).replace(/[\s_./-]+/g, " "))
    if (column === undefined) continue
    if (columns.has(column)) return Result.fail(refused(line, `there are two columns for ${column}`))
    columns.set(column, index)
  }
  return columns.has("email") ? Result.succeed(columns) : Result.fail(refused(line, "there is no column email"))
}

/** What the lines under this header say. */
const rowsUnder = (header: Line): Result.Result<(line: Line) => RawRow, CsvInvalid> =>
  Result.map(columnsOf(header), (columns) => ({ cells, line }) => {
    const cell = (column: Column) => unguarded((cells[columns.get(column) ?? -1] ?? "").trimStart()).trim()
    return {
      line,
      name: cell("name"),
      email: cell("email"),
      document: Redacted.make(cell("document")),
      delivery: cell("delivery"),
      cohort: cell("cohort"),
      expires_at: cell("expires_at"),
      surplus: !isBlank(cells.slice(header.cells.length))
    }
  })

/**
 * The rows of a CSV file: delimiter `;`, `,` or tab, whichever its header line has; quotes as RFC 4180 has them. Columns
 * that are none of ours are passed over. Others have the processor between two slices of the file.
 */
export const rowsOfCsv = Effect.fnUntraced(function*(
  bytes: Uint8Array
): Effect.fn.Return<ReadonlyArray<RawRow>, CsvInvalid | TooManyRows> {
  const text = yield* textOf(bytes)
  const delimiter = delimiterOf(text)
  const rows: Array<RawRow> = []
  let [header, rowOf]: [Line | undefined, ((line: Line) => RawRow) | undefined] = [undefined, undefined]
  let seen = 0
  for (const slice of recordsOf(text, delimiter)) {
    const records = yield* Effect.fromResult(slice)
    seen += records.length
    for (const line of yield* Effect.fromResult(linesOf(records, delimiter))) {
      if (rowOf !== undefined) rows.push(rowOf(line))
      else [header, rowOf] = [line, yield* Effect.fromResult(rowsUnder(line))]
    }
    if (seen > mostLines + 1 || rows.length > maxRows) return yield* new TooManyRows()
    yield* Effect.yieldNow
  }
  if (header === undefined) return yield* refused(1, "there is no header")
  return rows.length > 0 ? rows : yield* refused(header.line, "there is no row after the header")
})
