import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { number } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { useList } from "../../../browser/client/Lists.ts"
import { go } from "../../../browser/client/Location.ts"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Empty } from "../../../browser/parts/States.tsx"
import { Table } from "../../../browser/parts/Table.tsx"
import { Tabs } from "../../../browser/parts/Tabs.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { may } from "../../club/Rights.ts"
import { clubPage, type ClubViewProps, ofClub, useCommands } from "../../club/View.ts"
import { PublicationBadge } from "./Publishing.tsx"
import { contentTabs, contentWords } from "./shared.ts"
import { TitleDialog } from "./TitleDialog.tsx"

const words = spoken(
  {
    create: "New repository",
    empty: "There are no repositories yet",
    emptyText:
      "A repository holds files that students download. They see it once it is live and their delivery contains it.",
    files: "Files",
    lead: "Files that students download. They see a repository if it is live and their delivery contains it.",
    state: "State",
    title: "Title"
  },
  {
    create: "Novo repositório",
    empty: "Ainda não há repositórios",
    emptyText:
      "Um repositório tem arquivos para os alunos baixarem. Os alunos veem quando ele está no ar e faz parte da entrega deles.",
    files: "Arquivos",
    lead:
      "Arquivos para os alunos baixarem. Os alunos veem os repositórios que estão no ar e fazem parte da entrega deles.",
    state: "Situação",
    title: "Título"
  }
)

/** Files that students download. */
export default function Repositories({ club }: ClubViewProps) {
  const isCreating = useSignal(false)
  const mayTeach = may(club.role, "teach")
  const list = useList<Schemas["ManagedRepository"]>(
    `${club.organization_id}/repositories?all`,
    ({ cursor, limit, signal }) => turma.repositories.list({ ...ofClub(club), cursor, limit }, { signal })
  )
  const create = () => (isCreating.value = true)
  useCommands(mayTeach ? [{ label: said(words).create, keys: "n", run: create }] : [])
  return (
    <>
      <PageHead
        title={said(contentWords).repositories}
        actions={mayTeach && <button type="button" onClick={create}>{said(words).create}</button>}
      >
        {said(words).lead}
      </PageHead>
      <Tabs {...contentTabs(club)} />
      <Table
        label={said(contentWords).repositories}
        list={list}
        keyOf={({ id }) => id}
        to={({ id }) => clubPage(club, "content", "repositories", id)}
        empty={<Empty icon="folder" title={said(words).empty}>{said(words).emptyText}</Empty>}
        columns={[
          { key: "title", head: said(words).title, cell: ({ title }) => <span dir="auto">{title}</span> },
          {
            key: "state",
            head: said(words).state,
            onCard: "state",
            width: "13rem",
            cell: ({ published_at }) => <PublicationBadge published_at={published_at} />
          },
          {
            key: "files",
            head: said(words).files,
            isNumber: true,
            onCard: "headed",
            width: "7rem",
            cell: ({ file_count }) => number(file_count)
          }
        ]}
      />
      {isCreating.value && (
        <TitleDialog
          title={said(words).create}
          values={{ title: "", public_id: "" }}
          send={async (body) => {
            const { data } = await turma.repositories.create({ ...ofClub(club), body })
            go(clubPage(club, "content", "repositories", data.id))
          }}
          onClose={() => (isCreating.value = false)}
        />
      )}
    </>
  )
}
