import { CsvError, parse } from "csv-parse/sync"
import { Effect, Redacted, Result } from "effect"
import type { RawRow } from "./CheckedRow.ts"
import { csvInvalidAt, type CsvRecord, delimiterOf, recordsOf } from "./CsvRecords.ts"
import { textOf } from "./CsvText.ts"
import { fold } from "./fold.ts"
import { type CsvInvalid, maxRows, TooManyRows } from "./Import.ts"

type Column = Exclude<keyof RawRow, "line" | "surplus">

/** Known headers in English and Brazilian Portuguese, without case, accents and separators of words. */
const headers: Readonly<Record<Column, ReadonlyArray<string>>> = {
  name: ["name", "full name", "nome", "nome completo"],
  email: ["email", "e mail"],
  document: ["document", "documento", "cpf", "cnpj", "cpf cnpj", "cnpj cpf", "cpf ou cnpj", "cpf e cnpj"],
  delivery: ["delivery", "entrega", "produto", "curso"],
  cohort: ["cohort", "turma"],
  expires_at: ["expires at", "expira em", "validade", "data de expiracao"]
}

const columnOf = new Map(Object.entries(headers).flatMap(([column, names]) => names.map((name) => [name, column])))

/** In characters. Longer than every known header. */
const longestHeader = 100

const isBlank = (cells: ReadonlyArray<string>) => cells.every((cell) => cell.trim() === "")

interface CsvLine {
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

// Blank lines are skipped, but they are read, so their number has a limit too.
const maxLines = 2 * maxRows

/** The cells of these records, without blank lines. */
const linesOf = (
  records: ReadonlyArray<CsvRecord>,
  delimiter: string
): Result.Result<ReadonlyArray<CsvLine>, CsvInvalid> => {
  const read: Array<CsvLine> = []
  let recordCount = 0
  const onRecord = (cells: Array<string>) => {
    const line = records[recordCount]?.line ?? 0
    if (!isBlank(cells)) read.push({ line, cells })
    recordCount += 1
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
    return Result.fail(csvInvalidAt(records[recordCount]?.line ?? 0, "a quote stands inside of a cell"))
  }
  return Result.succeed(read)
}

/** Removes the apostrophe that the export, or a person, put before a cell that a spreadsheet would compute. */
const unescapeFormula = (cell: string): string => /^'[\s']*[=+\-@\t\r\n]/.test(cell) ? cell.slice(1) : cell

/** The index of each known column. */
const columnsOf = ({ cells, line }: CsvLine): Result.Result<ReadonlyMap<string, number>, CsvInvalid> => {
  const columns = new Map<string, number>()
  for (const [index, cell] of cells.entries()) {
    const column = cell.length > longestHeader ? undefined : columnOf.get(fold(cell).replace(/[\s_./-]+/g, " "))
    if (column === undefined) continue
    if (columns.has(column)) return Result.fail(csvInvalidAt(line, `there are two columns for ${column}`))
    columns.set(column, index)
  }
  return columns.has("email") ? Result.succeed(columns) : Result.fail(csvInvalidAt(line, "there is no column email"))
}

/** Reads a line under this header as a row. */
const rowReader = (header: CsvLine): Result.Result<(line: CsvLine) => RawRow, CsvInvalid> =>
  Result.map(columnsOf(header), (columns) => ({ cells, line }) => {
    const cell = (column: Column) => unescapeFormula((cells[columns.get(column) ?? -1] ?? "").trimStart()).trim()
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
 * The rows of a CSV file: delimiter `;`, `,` or tab, as in its header line; quotes as in RFC 4180. Skips unknown columns.
 * Yields to other fibers between two slices of the file.
 */
export const rowsOfCsv = Effect.fnUntraced(function*(
  bytes: Uint8Array
): Effect.fn.Return<ReadonlyArray<RawRow>, CsvInvalid | TooManyRows> {
  const text = yield* textOf(bytes)
  const delimiter = delimiterOf(text)
  const rows: Array<RawRow> = []
  let [header, readRow]: [CsvLine | undefined, ((line: CsvLine) => RawRow) | undefined] = [undefined, undefined]
  let recordCount = 0
  for (const slice of recordsOf(text, delimiter)) {
    const records = yield* Effect.fromResult(slice)
    recordCount += records.length
    for (const line of yield* Effect.fromResult(linesOf(records, delimiter))) {
      if (readRow !== undefined) rows.push(readRow(line))
      else [header, readRow] = [line, yield* Effect.fromResult(rowReader(line))]
    }
    if (recordCount > maxLines + 1 || rows.length > maxRows) return yield* new TooManyRows()
    yield* Effect.yieldNow
  }
  if (header === undefined) return yield* csvInvalidAt(1, "there is no header")
  return rows.length > 0 ? rows : yield* csvInvalidAt(header.line, "there is no row after the header")
})
