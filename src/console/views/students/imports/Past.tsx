import { turma } from "../../../../browser/client/Api.ts"
import { dateTime, number } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { useList } from "../../../../browser/client/Lists.ts"
import { Empty } from "../../../../browser/parts/States.tsx"
import { type Column, Table } from "../../../../browser/parts/Table.tsx"
import type { Membership } from "../../../club/Session.ts"
import { clubPage } from "../../../club/View.ts"
import { type Import, ImportBadge } from "./Outcome.tsx"
import { importWords } from "./words.ts"

const words = spoken(
  {
    created: "New",
    failed: "Errors",
    kind: "Kind",
    none: "No import yet",
    noneText: "Imports and previews of the last 90 days appear here.",
    past: "Imports of the last 90 days",
    rows: "Rows",
    state: "State",
    when: "When"
  },
  {
    created: "Novos",
    failed: "Erros",
    kind: "Tipo",
    none: "Nenhuma importação ainda",
    noneText: "Importações e prévias dos últimos 90 dias aparecem aqui.",
    past: "Importações dos últimos 90 dias",
    rows: "Linhas",
    state: "Situação",
    when: "Quando"
  }
)

const columns = (): ReadonlyArray<Column<Import>> => [
  { key: "when", head: said(words).when, cell: ({ created_at }) => dateTime(created_at) },
  {
    key: "kind",
    head: said(words).kind,
    width: "10rem",
    onCard: "detail",
    cell: ({ dry_run }) => dry_run ? said(importWords).trial : said(importWords).import
  },
  { key: "state", head: said(words).state, onCard: "state", width: "9rem", cell: ImportBadge },
  {
    key: "rows",
    head: said(words).rows,
    width: "6rem",
    isNumber: true,
    onCard: "headed",
    cell: ({ total }) => number(total)
  },
  {
    key: "created",
    head: said(words).created,
    width: "6rem",
    isNumber: true,
    onCard: "headed",
    cell: ({ created }) => number(created)
  },
  {
    key: "failed",
    head: said(words).failed,
    onCard: "headed",
    width: "5rem",
    isNumber: true,
    cell: ({ failed }) => number(failed)
  }
]

/** The earlier imports. */
export const Past = ({ club }: { readonly club: Membership }) => {
  const clubId = club.organization_id
  const list = useList(
    `${clubId}/imports`,
    ({ cursor, limit, signal }) => turma.studentImports.list({ clubId, cursor, limit }, { signal })
  )
  return (
    <section class="stack" aria-labelledby="past">
      <h2 id="past">{said(words).past}</h2>
      <Table
        label={said(words).past}
        columns={columns()}
        list={list}
        keyOf={({ id }) => id}
        to={({ id }) => clubPage(club, "students", "imports", id)}
        empty={<Empty title={said(words).none}>{said(words).noneText}</Empty>}
      />
    </section>
  )
}
