import { CsvError, type Info, parse } from "csv-parse/sync"
import { Option, Redacted, Result } from "effect"
import { CsvInvalid, maxRows, TooManyRows } from "./Import.ts"
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

const unicode = Option.liftThrowable((bytes: Uint8Array) => new TextDecoder("utf-8", { fatal: true }).decode(bytes))

/** UTF-8, UTF-16 where its mark says so, or else Windows-1252, in which Excel writes CSV. Line breaks become LF. */
export const textOf = (bytes: Uint8Array): string => {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe
  const text = Option.getOrElse(
    isWide ? Option.none() : unicode(bytes),
    () => new TextDecoder(isWide ? "utf-16le" : "windows-1252").decode(bytes)
  )
  return text.replace(/\r\n?/g, "\n")
}

/** What stands most often in the header line, outside of quotes. */
const delimiterOf = (text: string): string => {
  const header = (/^\s*(?<line>[^\n]*)/.exec(text)?.groups?.["line"] ?? "").replace(/"[^"]*"/g, "")
  const count = (delimiter: string) => header.split(delimiter).length
  return [";", "\t"].reduce((best, other) => count(other) > count(best) ? other : best, ",")
}

const refused = (line: number, what: string) => new CsvInvalid({ error: { message: `line ${line}: ${what}` } })

const isBlank = (cells: ReadonlyArray<string>) => cells.every((cell) => cell.trim() === "")

interface Line {
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

// Lines without anything in them are passed over, but read, so there is an end to them too.
const mostLines = 2 * maxRows

/** Every line that has something in it, with where it begins. */
const linesOf = (text: string): Result.Result<ReadonlyArray<Line>, CsvInvalid | TooManyRows> => {
  const written = text.split("\n")
  const nextAfter = (end: number) => {
    let index = end
    while (written[index] === "") index += 1
    return index + 1
  }
  const read: Array<Line> = []
  let end = 0
  let seen = 0
  const onRecord = (cells: Array<string>, { lines }: Info) => {
    if (!isBlank(cells)) read.push({ line: nextAfter(end), cells })
    end = lines
    seen += 1
    return null
  }
  try {
    parse(text, {
      delimiter: delimiterOf(text),
      record_delimiter: "\n",
      relax_column_count: true,
      skip_empty_lines: true,
      to: mostLines + 2,
      on_record: onRecord
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const what = error.code === "CSV_QUOTE_NOT_CLOSED" ? "a quote is not closed" : "a quote stands inside of a cell"
    return Result.fail(refused(nextAfter(end), what))
  }
  return seen > mostLines + 1 || read.length > maxRows + 1 ? Result.fail(new TooManyRows()) : Result.succeed(read)
}

/** Takes off what the export, or a person, put before a cell that a spreadsheet would compute. */
const unguarded = (cell: string): string => /^'[\s']*[=+\-@\t\r\n]/.test(cell) ? cell.slice(1) : cell

/** Where each known column stands. */
const columnsOf = ({ cells, line }: Line): Result.Result<ReadonlyMap<string, number>, CsvInvalid> => {
  const columns = new Map<string, number>()
  for (const [index, cell] of cells.entries()) {
    const column = columnOf.get(fold(cell).replace(/[\s_./-]+/g, " "))
    if (column === undefined) continue
    if (columns.has(column)) return Result.fail(refused(line, `there are two columns for ${column}`))
    columns.set(column, index)
  }
  return columns.has("email") ? Result.succeed(columns) : Result.fail(refused(line, "there is no column email"))
}

/**
 * The rows of a CSV file: delimiter `;`, `,` or tab, whichever its header line has; quotes as RFC 4180 has them. Columns
 * that are none of ours are passed over.
 */
export const rowsOfCsv = (bytes: Uint8Array): Result.Result<ReadonlyArray<RawRow>, CsvInvalid | TooManyRows> =>
  Result.gen(function*() {
    const [header, ...lines] = yield* linesOf(textOf(bytes))
    if (header === undefined) return yield* Result.fail(refused(1, "there is no header"))
    const columns = yield* columnsOf(header)
    if (lines.length === 0) return yield* Result.fail(refused(header.line, "there is no row after the header"))
    return lines.map(({ cells, line }) => {
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
  })
