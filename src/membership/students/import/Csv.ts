import { Effect, Redacted, Result, Struct } from "effect"
import { ownTurn } from "../../../platform/processes/OwnTurn.ts"
import type { RawRow } from "./CheckedRow.ts"
import { csvInvalidAt, type CsvRecord, layoutOf, recordsOf } from "./CsvRecords.ts"
import { textOf } from "./CsvText.ts"
import { fold } from "./fold.ts"
import { type CsvInvalid, longestColumnName, maxRows, TooManyRows } from "./Import.ts"

type Column = Exclude<keyof RawRow, "line" | "fault"> | "full_name" | "first_name" | "surname"

/** Known headers in English, Brazilian Portuguese and Spanish, without case, accents and separators of words. */
const headers: Readonly<Record<Column, ReadonlyArray<string>>> = {
  // The whole or the first name: the columns beside it decide.
  name: ["name", "nome", "nombre"],
  full_name: ["full name", "nome completo", "nombre completo"],
  first_name: ["first name", "given name", "primeiro nome"],
  surname: [
    "surname",
    "last name",
    "family name",
    "sobrenome",
    "ultimo nome",
    "nome de familia",
    "apellido",
    "apellidos"
  ],
  email: ["email", "e mail", "correo", "correo electronico"],
  document: ["document", "documento", "cpf", "cnpj", "cpf cnpj", "cnpj cpf", "cpf ou cnpj", "cpf e cnpj"],
  delivery: ["delivery", "entrega", "produto", "curso"],
  cohort: ["cohort", "turma"],
  expires_at: ["expires at", "expira em", "validade", "data de expiracao"]
}

const columnOf: ReadonlyMap<string, Column> =
  new Map(Struct.keys(headers).flatMap((column) => headers[column].map((name) => [name, column] as const)))

const isBlank = (cells: ReadonlyArray<string>) => cells.every((cell) => cell.trim() === "")

// Blank lines are skipped, but they are read, so their number has a limit too.
const maxLines = 2 * maxRows

/**
 * The text of a cell without the signs that keep a spreadsheet from computing it. These are `="0123"`, as Excel keeps a
 * zero, and an apostrophe in front, from the export or a person.
 */
const plain = (cell: string): string => {
  const text = cell.trimStart()
  const [, kept] = /^="([^"]*)"\s*$/.exec(text) ?? []
  return (kept ?? (/^'[\s']*[=+\-@\t\r\n]/.test(text) ? text.slice(1) : text)).trim()
}

/** The name of a column for the answer: without control characters, and shortened to the longest name. */
const toldName = (cell: string) =>
  Array.from(plain(cell).replaceAll(/\p{Cc}+/gu, " ")).slice(0, longestColumnName).join("")

interface Header {
  /** The index of each known column. */
  readonly columns: ReadonlyMap<Column, number>
  readonly width: number
  /** The names of the columns that are ignored: unknown ones, and parts of a name beside the whole. */
  readonly unknown: ReadonlyArray<string>
}

const faults = {
  encoding: {
    en: "some letters cannot be read: save the file as UTF-8",
    "pt-BR": "há letras que não dá para ler: salve o arquivo em UTF-8"
  },
  quotes: {
    en: "a quote is inside a cell or is not closed",
    "pt-BR": "há aspas dentro de uma célula ou sem fechar"
  }
}

const noEmail = { en: "there is no column email", "pt-BR": "falta a coluna email" }
const noHeader = { en: "there is no header", "pt-BR": "falta o cabeçalho" }
const noRow = { en: "there is no row after the header", "pt-BR": "não há linhas depois do cabeçalho" }
const workbook = {
  en: "the file is a workbook: save it as CSV",
  "pt-BR": "o arquivo é uma planilha: salve-o como CSV"
}

/** The columns that give the name if no column is called exactly `name`. */
const otherNames: ReadonlySet<Column> = new Set(["full_name", "first_name"])

/** The parts of a name, if another column has the whole of it. */
const leftOut = (found: ReadonlySet<Column>): ReadonlySet<Column> =>
  found.has("full_name") || (found.has("name") && found.has("first_name"))
    ? new Set(["first_name", "surname"])
    : new Set()

const knownColumn = (cell: string): Column | undefined => {
  const name = plain(cell)
  return name.length > longestColumnName ? undefined : columnOf.get(fold(name).replace(/[\s_./-]+/g, " "))
}

const headerOf = ({ cells, fault, line }: CsvRecord): Result.Result<Header, CsvInvalid> => {
  if (fault !== null) return Result.fail(csvInvalidAt(line, faults[fault]))
  const columns = new Map<Column, number>()
  const unknown = new Set<string>()
  const found = cells.map(knownColumn)
  const parts = leftOut(new Set(found.filter((column) => column !== undefined)))
  for (const [index, cell] of cells.entries()) {
    const known = found[index]
    if (known === undefined || parts.has(known)) {
      if (plain(cell) !== "") unknown.add(toldName(cell))
      continue
    }
    const column = otherNames.has(known) ? "name" : known
    if (columns.has(column)) {
      const twice = { en: `there are two columns for ${column}`, "pt-BR": `há duas colunas para ${column}` }
      return Result.fail(csvInvalidAt(line, twice))
    }
    columns.set(column, index)
  }
  return columns.has("email")
    ? Result.succeed({ columns, width: cells.length, unknown: [...unknown] })
    : Result.fail(csvInvalidAt(line, noEmail))
}

/** First name and surname; the name alone if it already ends with the surname. */
const withSurname = (name: string, surname: string) =>
  surname === "" || fold(name).endsWith(` ${fold(surname)}`) ? name : `${name} ${surname}`.trim()

const rowOf = ({ columns, width }: Header, { cells, fault, line }: CsvRecord): RawRow => {
  const cell = (column: Column) => plain(cells[columns.get(column) ?? -1] ?? "")
  return {
    line,
    name: withSurname(cell("name"), cell("surname")),
    email: cell("email"),
    document: Redacted.make(cell("document")),
    delivery: cell("delivery"),
    cohort: cell("cohort"),
    expires_at: cell("expires_at"),
    fault: fault ?? (isBlank(cells.slice(width)) ? null : "too_many_cells")
  }
}

/** The contents of a CSV file. */
interface CsvTable {
  readonly rows: ReadonlyArray<RawRow>
  /** The names of the ignored columns, as they are in the header. */
  readonly unknown_columns: ReadonlyArray<string>
}

/** The first bytes of workbooks. Some are saved under the name of a CSV by mistake. */
const workbooks: ReadonlySet<string> = new Set(["PK\u0003\u0004", "\u00d0\u00cf\u0011\u00e0"])

/**
 * The rows of a CSV file. The delimiter is `;`, `,` or tab, from the header line or from a first line `sep=`. Quotes
 * follow RFC 4180. Yields to other fibers between two slices of the file.
 */
export const rowsOfCsv = Effect.fnUntraced(function*(
  bytes: Uint8Array
): Effect.fn.Return<CsvTable, CsvInvalid | TooManyRows> {
  if (workbooks.has(Buffer.from(bytes.subarray(0, 4)).toString("latin1"))) {
    return yield* csvInvalidAt(1, workbook)
  }
  const text = yield* textOf(bytes)
  const layout = layoutOf(text)
  const rows: Array<RawRow> = []
  let recordCount = 0
  let first: CsvRecord | undefined
  let header: Header | undefined
  for (const slice of recordsOf(text, layout)) {
    const records = yield* Effect.fromResult(slice)
    recordCount += records.length
    for (const record of records) {
      if (record.fault === null && isBlank(record.cells)) continue
      if (header !== undefined) rows.push(rowOf(header, record))
      else {
        first = record
        header = yield* Effect.fromResult(headerOf(record))
      }
    }
    if (recordCount > maxLines + 1 || rows.length > maxRows) return yield* new TooManyRows()
    yield* ownTurn
  }
  if (header === undefined || first === undefined) return yield* csvInvalidAt(layout.line, noHeader)
  if (rows.length === 0) return yield* csvInvalidAt(first.line, noRow)
  return { rows, unknown_columns: header.unknown }
})
