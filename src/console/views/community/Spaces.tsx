import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { changed } from "../../../browser/client/Reads.ts"
import { Badge, type Tone } from "../../../browser/parts/Badge.tsx"
import { Confirm } from "../../../browser/parts/Dialog.tsx"
import { MenuEntry, MoreMenu } from "../../../browser/parts/Menu.tsx"
import { Order } from "../../../browser/parts/Order.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { may } from "../../club/Rights.ts"
import type { Membership } from "../../club/Session.ts"
import { clubPage, ofClub } from "../../club/View.ts"
import { type Viewers, viewersOf } from "./seen.ts"
import { communityKey, communityWords } from "./shared.ts"
import { SpaceDialog } from "./SpaceDialog.tsx"

const words = spoken(
  {
    archive: "Archive",
    archiveAction: "Archive the space",
    archived: "The space is archived",
    archivedOnes: (count: number) => `Archived spaces: ${count}`,
    archiveGoes:
      "Students stop seeing it, and nobody can post in it. The team can still read it. This cannot be undone.",
    archiveOf: (name: string) => `Archive ${name}`,
    archiveTitle: "Archive this space?",
    create: "New space",
    edit: "Edit",
    editOf: (name: string) => `Edit ${name}`,
    everybody: "Every student",
    granted: "With a delivery",
    nobody: "Hidden",
    staff: "Only the team posts"
  },
  {
    archive: "Arquivar",
    archiveAction: "Arquivar o espaço",
    archived: "O espaço foi arquivado",
    archivedOnes: (count: number) => `Espaços arquivados: ${count}`,
    archiveGoes:
      "Os alunos deixam de ver o espaço, e ninguém pode postar nele. A equipe ainda pode ler. Não dá para desfazer.",
    archiveOf: (name: string) => `Arquivar ${name}`,
    archiveTitle: "Arquivar este espaço?",
    create: "Novo espaço",
    edit: "Editar",
    editOf: (name: string) => `Editar ${name}`,
    everybody: "Todos os alunos",
    granted: "Com uma entrega",
    nobody: "Oculto",
    staff: "Só a equipe posta"
  }
)

/** The community as the API has it. */
export type CommunityOf = Schemas["Community"]

type Space = Schemas["Space"]

const tones: Readonly<Record<Viewers, Tone>> = { everybody: "good", granted: "waiting", nobody: "quiet" }

const SpaceActions = ({ club, space }: { readonly club: Membership; readonly space: Space }) => {
  const isOpen = useSignal<"" | "edit" | "archive">("")
  const close = () => (isOpen.value = "")
  return (
    <div class="actions">
      <button
        type="button"
        class="quiet"
        aria-label={said(words).editOf(space.name)}
        onClick={() => (isOpen.value = "edit")}
      >
        {said(words).edit}
      </button>
      <MoreMenu of={space.name}>
        <MenuEntry
          icon="folder"
          isDangerous
          label={said(words).archive}
          name={said(words).archiveOf(space.name)}
          act={() => (isOpen.value = "archive")}
        />
      </MoreMenu>
      {isOpen.value === "edit" && <SpaceDialog club={club} space={space} onClose={close} />}
      {isOpen.value === "archive" && (
        <Confirm
          title={said(words).archiveTitle}
          action={said(words).archiveAction}
          isDangerous
          done={said(words).archived}
          work={async () => {
            await turma.community.archiveSpace({ ...ofClub(club), spaceId: space.id })
            changed(communityKey(club))
          }}
          onClose={close}
        >
          <p dir="auto">{space.name}</p>
          <p>{said(words).archiveGoes}</p>
        </Confirm>
      )}
    </div>
  )
}

const Row = ({ club, space }: { readonly club: Membership; readonly space: Space }) => (
  <div class="line">
    <div class="line-words">
      <a href={clubPage(club, "community", "spaces", space.id)} dir="auto">{space.name}</a>
      <Badge tone={tones[viewersOf(space)]}>{said(words)[viewersOf(space)]}</Badge>
      {space.posting === "staff" && <span class="soft small">{said(words).staff}</span>}
    </div>
    {may(club.role, "teach") && <SpaceActions club={club} space={space} />}
  </div>
)

/** The spaces of the community, in the order students see them. */
export const Spaces = ({ club, community }: { readonly club: Membership; readonly community: CommunityOf }) => {
  const isCreating = useSignal(false)
  const mayTeach = may(club.role, "teach")
  const archived = community.spaces.filter((space) => space.archived)
  return (
    <section class="stack" aria-labelledby="spaces">
      <div class="line">
        <h2 id="spaces">{said(communityWords).spaces}</h2>
        {mayTeach && (
          <button type="button" class="quiet" onClick={() => (isCreating.value = true)}>{said(words).create}</button>
        )}
      </div>
      <Order
        label={said(communityWords).spaces}
        items={community.spaces.filter((space) => !space.archived)}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        isFixed={!mayTeach}
        save={(ids) => turma.community.orderSpaces({ ...ofClub(club), body: { ids: [...ids] } })}
        after={() => changed(communityKey(club))}
      >
        {(space) => <Row club={club} space={space} />}
      </Order>
      {archived.length > 0 && (
        <details>
          <summary>{said(words).archivedOnes(archived.length)}</summary>
          <ul>
            {archived.map(({ id, name }) => (
              <li key={id}>
                <a href={clubPage(club, "community", "spaces", id)} dir="auto">{name}</a>
              </li>
            ))}
          </ul>
        </details>
      )}
      {isCreating.value && <SpaceDialog club={club} space={undefined} onClose={() => (isCreating.value = false)} />}
    </section>
  )
}
