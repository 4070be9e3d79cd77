import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { useList } from "../../../browser/client/Lists.ts"
import { query, setQuery } from "../../../browser/client/Location.ts"
import { changed } from "../../../browser/client/Reads.ts"
import { Badge } from "../../../browser/parts/Badge.tsx"
import { Confirm } from "../../../browser/parts/Dialog.tsx"
import { MenuEntry, MoreMenu } from "../../../browser/parts/Menu.tsx"
import { Day } from "../../../browser/parts/Moment.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { SearchField } from "../../../browser/parts/SearchField.tsx"
import { Empty } from "../../../browser/parts/States.tsx"
import { Table } from "../../../browser/parts/Table.tsx"
import { Tabs } from "../../../browser/parts/Tabs.tsx"
import { HostedForm } from "../../club/library/HostedForm.tsx"
import { libraryWords, mediaNote } from "../../club/library/mediaWords.ts"
import { UploadList } from "../../club/library/upload/UploadList.tsx"
import type { Media } from "../../club/library/upload/uploads.ts"
import { may } from "../../club/Rights.ts"
import { type ClubViewProps, ofClub } from "../../club/View.ts"
import { contentTabs, contentWords } from "./shared.ts"

const words = spoken(
  {
    added: "Added",
    begun: "Not complete",
    empty: "The library is empty",
    emptyText: "Uploaded files and videos from providers appear here, for lessons and repositories to show.",
    failed: "Failed",
    goes: "Its file is deleted too. If a lesson or a repository shows it, it stays and you get a message.",
    lead: "Media that lessons and repositories show. An incomplete file is deleted after a day.",
    remove: "Delete",
    removeAction: "Delete it",
    removed: "Deleted",
    removeOf: (title: string) => `Delete ${title}`,
    removeTitle: "Delete this from the library?",
    ready: "Ready",
    state: "State",
    title: "Title",
    what: "What it is"
  },
  {
    added: "Adicionado",
    begun: "Incompleto",
    empty: "A biblioteca está vazia",
    emptyText: "Arquivos enviados e vídeos de provedores aparecem aqui, para usar em aulas e repositórios.",
    failed: "Falhou",
    goes: "O arquivo também é excluído. Se uma aula ou um repositório ainda o usar, ele fica e você vê um aviso.",
    lead: "Arquivos e vídeos usados em aulas e repositórios. Um arquivo incompleto é excluído depois de um dia.",
    remove: "Excluir",
    removeAction: "Excluir",
    removed: "Excluído",
    removeOf: (title: string) => `Excluir ${title}`,
    removeTitle: "Excluir isto da biblioteca?",
    ready: "Pronto",
    state: "Situação",
    title: "Título",
    what: "O que é"
  }
)

const State = ({ status }: Pick<Media, "status">) => {
  if (status === "ready") return <Badge tone="good">{said(words).ready}</Badge>
  return status === "failed"
    ? <Badge tone="bad">{said(words).failed}</Badge>
    : <Badge tone="waiting">{said(words).begun}</Badge>
}

/** Files and videos that a club shows. */
export default function MediaLibrary({ club }: ClubViewProps) {
  const removing = useSignal<Media | undefined>(undefined)
  const mayTeach = may(club.role, "teach")
  const search = query.value.get("search") ?? undefined
  const list = useList<Media>(
    `${club.organization_id}/media?${search ?? ""}`,
    ({ cursor, limit, signal }) => turma.media.list({ ...ofClub(club), search, cursor, limit }, { signal })
  )
  return (
    <>
      <PageHead title={said(contentWords).media}>{said(words).lead}</PageHead>
      <Tabs {...contentTabs(club)} />
      {mayTeach && (
        <section class="card stack narrow" aria-label={said(contentWords).media}>
          <UploadList club={club} />
          <HostedForm club={club} />
        </section>
      )}
      <div class="filters" role="search">
        <SearchField
          label={said(libraryWords).search}
          value={search ?? ""}
          change={(text) => setQuery({ search: text })}
        />
      </div>
      <Table
        label={said(contentWords).media}
        list={list}
        keyOf={({ id }) => id}
        empty={search === undefined
          ? <Empty icon="image" title={said(words).empty}>{said(words).emptyText}</Empty>
          : <Empty title={said(libraryWords).none} />}
        columns={[
          { key: "title", head: said(words).title, cell: ({ title }) => <span dir="auto">{title}</span> },
          { key: "what", head: said(words).what, cell: mediaNote, onCard: "detail" },
          {
            key: "state",
            head: said(words).state,
            cell: (media) => <State status={media.status} />,
            onCard: "state",
            width: "9rem"
          },
          {
            key: "added",
            head: said(words).added,
            cell: ({ created_at }) => <Day at={created_at} />,
            onCard: "detail",
            width: "8rem"
          },
          ...(mayTeach
            ? [{
              key: "remove",
              head: "",
              onCard: "action" as const,
              width: "4rem",
              cell: (media: Media) => (
                <MoreMenu of={media.title}>
                  <MenuEntry
                    icon="remove"
                    isDangerous
                    label={said(words).remove}
                    name={said(words).removeOf(media.title)}
                    act={() => (removing.value = media)}
                  />
                </MoreMenu>
              )
            }]
            : [])
        ]}
      />
      {removing.value !== undefined && (
        <Confirm
          title={said(words).removeTitle}
          action={said(words).removeAction}
          isDangerous
          done={said(words).removed}
          work={async () => {
            await turma.media.remove({ ...ofClub(club), mediaId: removing.peek()?.id ?? "" })
            changed(`${club.organization_id}/media`)
          }}
          onClose={() => (removing.value = undefined)}
        >
          <p dir="auto">{removing.value.title}</p>
          <p>{said(words).goes}</p>
        </Confirm>
      )}
    </>
  )
}
