import { turma } from "../../../../browser/client/Api.ts"
import { number } from "../../../../browser/client/Format.ts"
import { useInterval } from "../../../../browser/client/Interval.ts"
import { language, said, spoken } from "../../../../browser/client/Language.ts"
import { useList } from "../../../../browser/client/Lists.ts"
import { type Read, useRead } from "../../../../browser/client/Reads.ts"
import { Badge, type Tone } from "../../../../browser/parts/Badge.tsx"
import { ProgressBar } from "../../../../browser/parts/ProgressBar.tsx"
import { type Column, Table } from "../../../../browser/parts/Table.tsx"
import type { Schemas } from "../../../../sdk/index.ts"
import type { Membership } from "../../../club/Session.ts"
import { rowSentence } from "./rowWords.ts"
import { importWords } from "./words.ts"

/** An import, or a preview of one. */
export type Import = Schemas["StudentImport"]

const words = spoken(
  {
    errors: "Rows with errors",
    field: "Field",
    fields: {
      cohort: "cohort",
      delivery: "delivery",
      document: "document",
      email: "e-mail",
      expires_at: "end",
      name: "name",
      row: "row"
    },
    importing: "Progress of the import",
    leftOut: (columns: number) =>
      columns === 1
        ? "One column is not known and was ignored:"
        : `${number(columns)} columns are not known and were ignored:`,
    line: "Line",
    progress: (done: number, all: number) => `${number(done)} of ${number(all)} rows`,
    wrong: "What is wrong"
  },
  {
    errors: "Linhas com erros",
    field: "Campo",
    fields: {
      cohort: "turma",
      delivery: "entrega",
      document: "documento",
      email: "e-mail",
      expires_at: "fim",
      name: "nome",
      row: "linha"
    },
    importing: "Andamento da importação",
    leftOut: (columns: number) =>
      columns === 1
        ? "Uma coluna não foi reconhecida e ficou de fora:"
        : `${number(columns)} colunas não foram reconhecidas e ficaram de fora:`,
    line: "Linha",
    progress: (done: number, all: number) => `${number(done)} de ${number(all)} linhas`,
    wrong: "O que está errado"
  }
)

const tones: Readonly<Record<Import["status"], Tone>> = { completed: "good", pending: "waiting", running: "waiting" }

/** How far an import is, in a word. */
export const ImportBadge = ({ failed, status }: Pick<Import, "failed" | "status">) => (
  <Badge tone={status === "completed" && failed > 0 ? "warning" : tones[status]}>{said(importWords)[status]}</Badge>
)

/** How often it is asked how far an import is, in milliseconds. */
const pause = 700

/** An import, read again and again until it ends. */
export const useImport = ({ organization_id: clubId }: Membership, importId: string): Read<Import> => {
  const read = useRead(`${clubId}/imports/${importId}`, async (signal) => {
    const { data } = await turma.studentImports.get({ clubId, importId }, { signal })
    return data
  })
  const isDone = read.data === undefined ? read.error !== undefined : read.data.status === "completed"
  useInterval(isDone ? undefined : pause, read.reload)
  return read
}

/** Number of rows that the import has finished. */
export const ImportProgress = ({ processed, total }: Pick<Import, "processed" | "total">) => (
  <div class="stack tight">
    <ProgressBar
      done={processed}
      all={total}
      label={said(words).importing}
      text={said(words).progress(processed, total)}
    />
  </div>
)

/** The result of an import, or of its preview. */
export const Counts = ({ created, dry_run, existing, failed, granted }: Import) => (
  <ul class="counts">
    <li>{(dry_run ? said(importWords).toCreate : said(importWords).created)(created)}</li>
    <li>{said(importWords).existing(existing)}</li>
    <li>{(dry_run ? said(importWords).toGrant : said(importWords).granted)(granted)}</li>
    {failed > 0 && <li class="bad">{said(importWords).failed(failed)}</li>}
  </ul>
)

/** The columns of the file that the import ignored. */
export const LeftOut = ({ unknown_columns: names }: Pick<Import, "unknown_columns">) =>
  names.length === 0 ? null : <p class="notice wraps">{said(words).leftOut(names.length)} {names.join(", ")}</p>

type RowError = Schemas["StudentImportError"]

const Wrong = ({ of: { code, field, message } }: { readonly of: RowError }) => {
  const own = language.value === "en" ? message : rowSentence(field, code)
  const text = own ?? message
  return <span class="wraps" title={text} {...(own === undefined ? { lang: "en" } : {})}>{text}</span>
}

const columns = (): ReadonlyArray<Column<RowError>> => [
  { key: "line", head: said(words).line, onCard: "headed", width: "5rem", cell: ({ line }) => number(line) },
  {
    key: "field",
    head: said(words).field,
    width: "7rem",
    cell: ({ field }) => said(words).fields[field]
  },
  { key: "wrong", head: said(words).wrong, onCard: "detail", cell: (error) => <Wrong of={error} /> }
]

/** The faults of the rows of an import. */
export const Errors = ({ club, id }: { readonly club: Membership; readonly id: string }) => {
  const clubId = club.organization_id
  const list = useList(
    `${clubId}/imports/${id}/errors`,
    ({ cursor, limit, signal }) => turma.studentImports.errors({ clubId, importId: id, cursor, limit }, { signal })
  )
  return (
    <section class="stack" aria-labelledby="errors">
      <h2 id="errors">{said(words).errors}</h2>
      <Table label={said(words).errors} columns={columns()} list={list} keyOf={(error) => error.id} empty={null} />
    </section>
  )
}
