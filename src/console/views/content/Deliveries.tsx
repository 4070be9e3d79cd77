import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { counted, number } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { useList } from "../../../browser/client/Lists.ts"
import { go, query, setQuery } from "../../../browser/client/Location.ts"
import { Badge } from "../../../browser/parts/Badge.tsx"
import { Confirm, Dialog } from "../../../browser/parts/Dialog.tsx"
import { CheckField, TextField } from "../../../browser/parts/Fields.tsx"
import { type Form, useForm } from "../../../browser/parts/Form.ts"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Empty } from "../../../browser/parts/States.tsx"
import { Table } from "../../../browser/parts/Table.tsx"
import { Tabs } from "../../../browser/parts/Tabs.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { may } from "../../club/Rights.ts"
import type { Membership } from "../../club/Session.ts"
import { clubPage, type ClubViewProps, ofClub, useCommands } from "../../club/View.ts"
import { contentTabs, contentWords, givesAll } from "./shared.ts"

const words = spoken(
  {
    access: "Access lasts",
    archived: "Show archived ones",
    create: "New delivery",
    days: (days: number) => counted(days, "1 day", `${number(days)} days`),
    daysField: "Days an access lasts",
    daysHint: "Empty: until its cohort ends, or without end.",
    empty: "There are no deliveries here",
    emptyText: "Students get deliveries: courses, repositories, lives and the community. Sales and grants name one.",
    forGood: "Without end",
    free: "Free",
    freeField: "Free: every student of the club gets it, later ones too",
    items: "Contains",
    lead: "What students get. Each sale, registration link or grant gives one.",
    name: "Name",
    notFree: "Granted",
    who: "Who gets it"
  },
  {
    access: "O acesso dura",
    archived: "Mostrar arquivadas",
    create: "Nova entrega",
    days: (days: number) => counted(days, "1 dia", `${number(days)} dias`),
    daysField: "Duração do acesso, em dias",
    daysHint: "Em branco: até o fim da turma ou para sempre.",
    empty: "Não há entregas aqui",
    emptyText:
      "Uma entrega é o que os alunos recebem: cursos, repositórios, lives e a comunidade. Cada venda ou liberação manual dá uma.",
    forGood: "Para sempre",
    free: "Grátis",
    freeField: "Grátis: todo aluno do clube recebe, inclusive os novos",
    items: "Contém",
    lead: "O que os alunos recebem. Cada venda, link de inscrição ou liberação manual dá uma.",
    name: "Nome",
    notFree: "Liberados",
    who: "Quem recebe"
  }
)

type Delivery = Schemas["Delivery"]

const Create = ({ club, onClose }: { readonly club: Membership; readonly onClose: () => void }) => {
  const isAsked = useSignal(false)
  const create = async (value: Form["value"]) => {
    const days = value("default_access_days")
    const { data } = await turma.deliveries.create({
      ...ofClub(club),
      body: {
        name: value("name"),
        free: value("free") === "true",
        default_access_days: days === "" ? null : Number(days)
      }
    })
    go(clubPage(club, "content", "deliveries", data.id))
  }
  const form = useForm({
    values: { name: "", free: "", default_access_days: "" },
    send: async (value) => {
      if (value("free") === "true") isAsked.value = true
      else await create(value)
    }
  })
  if (isAsked.value) {
    return (
      <Confirm
        title={said(givesAll).title}
        action={said(givesAll).action}
        work={() => create(form.value)}
        onClose={() => (isAsked.value = false)}
      >
        <p>{said(givesAll).text(form.value("name"))}</p>
      </Confirm>
    )
  }
  return (
    <Dialog title={said(words).create} onClose={onClose}>
      <form class="stack" onSubmit={form.submit}>
        <TextField form={form} name="name" label={said(words).name} required maxLength={120} autofocus />
        <TextField
          form={form}
          name="default_access_days"
          label={said(words).daysField}
          hint={said(words).daysHint}
          type="number"
          min={1}
          max={36_500}
        />
        <CheckField form={form} name="free" label={said(words).freeField} />
        <div class="actions">
          <button type="submit" aria-busy={form.isRunning}>{said(words).create}</button>
        </div>
      </form>
    </Dialog>
  )
}

/** The deliveries of a club. */
export default function Deliveries({ club }: ClubViewProps) {
  const isCreating = useSignal(false)
  const mayTeach = may(club.role, "teach")
  const archived = query.value.get("archived") === "true" ? "true" : "false"
  const list = useList<Delivery>(
    `${club.organization_id}/deliveries?archived=${archived}`,
    ({ cursor, limit, signal }) => turma.deliveries.list({ ...ofClub(club), archived, cursor, limit }, { signal })
  )
  const create = () => (isCreating.value = true)
  useCommands(mayTeach ? [{ label: said(words).create, keys: "n", run: create }] : [])
  return (
    <>
      <PageHead
        title={said(contentWords).deliveries}
        actions={mayTeach && <button type="button" onClick={create}>{said(words).create}</button>}
      >
        {said(words).lead}
      </PageHead>
      <Tabs {...contentTabs(club)} />
      <div class="filters">
        <div class="field check">
          <input
            id="archived"
            type="checkbox"
            checked={archived === "true"}
            onChange={({ currentTarget }) => setQuery({ archived: currentTarget.checked ? "true" : undefined })}
          />
          <label for="archived">{said(words).archived}</label>
        </div>
      </div>
      <Table
        label={said(contentWords).deliveries}
        list={list}
        keyOf={({ id }) => id}
        to={({ id }) => clubPage(club, "content", "deliveries", id)}
        empty={<Empty icon="bag" title={said(words).empty}>{said(words).emptyText}</Empty>}
        columns={[
          { key: "name", head: said(words).name, cell: ({ name }) => <span dir="auto">{name}</span> },
          {
            key: "who",
            head: said(words).who,
            onCard: "state",
            width: "9rem",
            cell: ({ free }) =>
              free
                ? <Badge tone="good">{said(words).free}</Badge>
                : <Badge tone="quiet">{said(words).notFree}</Badge>
          },
          {
            key: "access",
            head: said(words).access,
            onCard: "detail",
            width: "9rem",
            cell: ({ default_access_days: days }) => days === null ? said(words).forGood : said(words).days(days)
          },
          {
            key: "items",
            head: said(words).items,
            isNumber: true,
            onCard: "headed",
            width: "7rem",
            cell: ({ items }) => number(items.length)
          }
        ]}
      />
      {isCreating.value && <Create club={club} onClose={() => (isCreating.value = false)} />}
    </>
  )
}
