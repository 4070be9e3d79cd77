import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { number } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { go } from "../../../browser/client/Location.ts"
import { changed, useRead } from "../../../browser/client/Reads.ts"
import { Confirm } from "../../../browser/parts/Dialog.tsx"
import { MenuEntry, MoreMenu } from "../../../browser/parts/Menu.tsx"
import { clock } from "../../../browser/parts/Moment.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Shown } from "../../../browser/parts/States.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { clubTime } from "../../club/ClubZone.ts"
import { may } from "../../club/Rights.ts"
import type { Membership } from "../../club/Session.ts"
import { clubPage, type ClubViewProps, ofClub } from "../../club/View.ts"
import { publicationOf } from "./publication.ts"
import { PublicationBadge, Publishing } from "./Publishing.tsx"
import { RepositoryFacts } from "./RepositoryFacts.tsx"
import { RepositoryFiles } from "./RepositoryFiles.tsx"
import { contentWords } from "./shared.ts"

const words = spoken(
  {
    draft: "Students do not see it: it is a draft.",
    goes: (files: string) => `Students stop seeing it. Its files stay in the library: ${files}.`,
    live: (moment: string) => `Visible since ${moment} to students who have it.`,
    remove: "Delete",
    removeAction: "Delete the repository",
    removed: "The repository is deleted",
    removeTitle: "Delete this repository?",
    scheduled: (moment: string) => `Visible from ${moment} on to students who have it.`,
    taken: "Students no longer see it."
  },
  {
    draft: "Os alunos não veem este repositório: é um rascunho.",
    goes: (files: string) => `Os alunos deixam de ver o repositório. Os arquivos continuam na biblioteca: ${files}.`,
    live: (moment: string) => `Visível desde ${moment} para os alunos que têm acesso.`,
    remove: "Excluir",
    removeAction: "Excluir o repositório",
    removed: "O repositório foi excluído",
    removeTitle: "Excluir este repositório?",
    scheduled: (moment: string) => `Visível a partir de ${moment} para os alunos que têm acesso.`,
    taken: "Os alunos deixam de ver o repositório."
  }
)

type Repository = Schemas["ManagedRepository"]

const keyOf = (club: Membership, id: string) => `${club.organization_id}/repositories/${id}`

const sentenceOf = ({ published_at }: Repository) => {
  const state = publicationOf({ published_at }, clock.value)
  return state === "draft" ? said(words).draft : said(words)[state](clubTime(published_at ?? ""))
}

const Actions = ({ club, repository }: { readonly club: Membership; readonly repository: Repository }) => {
  const isRemoving = useSignal(false)
  const params = { ...ofClub(club), repositoryId: repository.id }
  return (
    <>
      <Publishing
        published_at={repository.published_at}
        publish={async (published_at) => {
          await turma.repositories.publish({ ...params, body: { published_at } })
          changed(`${club.organization_id}/repositories`)
        }}
      >
        <p>{said(words).taken}</p>
      </Publishing>
      <MoreMenu>
        <MenuEntry icon="remove" isDangerous label={said(words).remove} act={() => (isRemoving.value = true)} />
      </MoreMenu>
      {isRemoving.value && (
        <Confirm
          title={said(words).removeTitle}
          action={said(words).removeAction}
          isDangerous
          done={said(words).removed}
          work={async () => {
            await turma.repositories.remove(params)
            go(clubPage(club, "content", "repositories"), { replace: true })
            changed(`${club.organization_id}/repositories?`)
          }}
          onClose={() => (isRemoving.value = false)}
        >
          <p>{said(words).goes(number(repository.file_count))}</p>
        </Confirm>
      )}
    </>
  )
}

/** A repository and its files. */
export default function RepositoryPage({ club, params }: ClubViewProps) {
  const repositoryId = params["repository"] ?? ""
  const repository = useRead(
    keyOf(club, repositoryId),
    (signal) => turma.repositories.get({ ...ofClub(club), repositoryId }, { signal })
  )
  const mayTeach = may(club.role, "teach")
  return (
    <Shown read={repository}>
      {({ data }) => (
        <>
          <PageHead
            title={data.title}
            badge={<PublicationBadge published_at={data.published_at} />}
            above={[{ label: said(contentWords).repositories, to: clubPage(club, "content", "repositories") }]}
            actions={mayTeach && <Actions club={club} repository={data} />}
          >
            {sentenceOf(data)}
          </PageHead>
          <RepositoryFiles club={club} repositoryId={repositoryId} />
          {mayTeach && (
            <RepositoryFacts
              club={club}
              repository={data}
              after={() => changed(`${club.organization_id}/repositories`)}
            />
          )}
        </>
      )}
    </Shown>
  )
}
