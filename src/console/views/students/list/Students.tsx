import { useSignal } from "@preact/signals"
import { turma } from "../../../../browser/client/Api.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { useList } from "../../../../browser/client/Lists.ts"
import { query } from "../../../../browser/client/Location.ts"
import { Avatar } from "../../../../browser/parts/Avatar.tsx"
import { Badge } from "../../../../browser/parts/Badge.tsx"
import { Day } from "../../../../browser/parts/Moment.tsx"
import { PageHead } from "../../../../browser/parts/PageHead.tsx"
import { Empty } from "../../../../browser/parts/States.tsx"
import { type Column, Table } from "../../../../browser/parts/Table.tsx"
import { may } from "../../../club/Rights.ts"
import { clubPage, type ClubViewProps, useCommands } from "../../../club/View.ts"
import { commonWords } from "../words.ts"
import { AddStudent } from "./AddStudent.tsx"
import { ExportButton } from "./ExportButton.tsx"
import { Filters } from "./Filters.tsx"

const words = spoken(
  {
    add: "Add a student",
    confirmed: "Confirmed",
    email: "E-mail",
    import: "Import",
    lead: "All students of the club, the newest first.",
    name: "Name",
    noneFound: "No student matches",
    noneFoundText: "Remove a filter, or search for a part of the name or e-mail address.",
    none: "No students yet",
    noneText: "Students appear when they buy, use a registration link, or you add or import them.",
    since: "Since",
    state: "Address",
    unconfirmed: "Not confirmed"
  },
  {
    add: "Adicionar aluno",
    confirmed: "Confirmado",
    email: "E-mail",
    import: "Importar",
    lead: "Todos os alunos do clube, dos mais novos aos mais antigos.",
    name: "Nome",
    noneFound: "Nenhum aluno encontrado",
    noneFoundText: "Remova um filtro ou busque por uma parte do nome ou do e-mail.",
    none: "Nenhum aluno ainda",
    noneText: "Os alunos aparecem quando compram, usam um link de inscrição ou você os adiciona ou importa.",
    since: "Desde",
    state: "Cadastro",
    unconfirmed: "Não confirmado"
  }
)

interface Row {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly verified: boolean
  readonly created_at: string
}

const columns = (): ReadonlyArray<Column<Row>> => [
  {
    key: "name",
    head: said(words).name,
    cell: ({ name }) => (
      <span class="who">
        <Avatar name={name} role="student" />
        <bdi>{name}</bdi>
      </span>
    )
  },
  { key: "email", head: said(words).email, onCard: "detail", cell: ({ email }) => email },
  {
    key: "state",
    head: said(words).state,
    width: "10.5rem",
    onCard: "state",
    cell: ({ verified }) =>
      verified
        ? <Badge tone="good">{said(words).confirmed}</Badge>
        : <Badge tone="quiet">{said(words).unconfirmed}</Badge>
  },
  {
    key: "since",
    head: said(words).since,
    width: "6.5rem",
    cell: ({ created_at }) => <Day at={created_at} />
  }
]

const filterNames = ["search", "delivery_id", "cohort_id", "active"] as const

const filtersNow = () => {
  const [search, delivery_id, cohort_id, active] = filterNames.map((name) => query.value.get(name) ?? undefined)
  return {
    search,
    delivery_id,
    cohort_id,
    active: active === "true" || active === "false" ? active : undefined
  } as const
}

/** The students of a club, searched and filtered by the address. */
export default function Students({ club }: ClubViewProps) {
  const clubId = club.organization_id
  const filters = filtersNow()
  const isAdding = useSignal(false)
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  const list = useList(
    `${clubId}/students?${JSON.stringify(filters)}`,
    ({ cursor, limit, signal }) => turma.students.list({ clubId, ...filters, cursor, limit }, { signal })
  )
  const canAdd = may(club.role, "support")
  const add = () => {
    isAdding.value = true
  }
  useCommands(canAdd ? [{ label: said(words).add, keys: "n", run: add }] : [])
  const addButton = canAdd && <button type="button" onClick={add}>{said(words).add}</button>
  return (
    <>
      <PageHead
        title={said(commonWords).students}
        actions={
          <>
            {may(club.role, "administer") && (
              <>
                <ExportButton club={club} />
                <a class="button quiet" href={clubPage(club, "students", "import")}>{said(words).import}</a>
              </>
            )}
            {addButton}
          </>
        }
      >
        {said(words).lead}
      </PageHead>
      <Filters club={club} />
      <Table
        label={said(commonWords).students}
        columns={columns()}
        list={list}
        keyOf={({ id }) => id}
        to={({ id }) => clubPage(club, "students", id)}
        empty={isFiltered
          ? <Empty title={said(words).noneFound}>{said(words).noneFoundText}</Empty>
          : <Empty icon="cap" title={said(words).none} action={addButton}>{said(words).noneText}</Empty>}
      />
      {isAdding.value && <AddStudent club={club} onClose={() => (isAdding.value = false)} />}
    </>
  )
}
