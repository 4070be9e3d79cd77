import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { dateTime, number } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { changed, useRead } from "../../../browser/client/Reads.ts"
import { currentMillis, timestampOf } from "../../../browser/client/Time.ts"
import { Badge } from "../../../browser/parts/Badge.tsx"
import { Confirm, Dialog } from "../../../browser/parts/Dialog.tsx"
import { TextArea, TextField } from "../../../browser/parts/Fields.tsx"
import { useForm } from "../../../browser/parts/Form.ts"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Shown } from "../../../browser/parts/States.tsx"
import { Tabs } from "../../../browser/parts/Tabs.tsx"
import { may } from "../../club/Rights.ts"
import type { Membership } from "../../club/Session.ts"
import { type ClubViewProps, ofClub } from "../../club/View.ts"
import { viewersOfAll } from "./seen.ts"
import { communityKey, communityTabs, communityWords } from "./shared.ts"
import { type CommunityOf, Spaces } from "./Spaces.tsx"

const words = spoken(
  {
    description: "Description",
    edit: "Edit",
    everybody: (count: string) => `every student of the club: ${count}`,
    granted: (count: string) => `students with a delivery that contains the community: ${count}`,
    hides: "Students stop seeing it, posts and comments included. If you publish it again, it is as it was.",
    name: "Name",
    nobody: (count: string) => `no student: ${count}`,
    publish: "Publish",
    published: "Published",
    publishedNow: "The community is published",
    publishTitle: "Publish the community?",
    save: "Save",
    saved: "Saved",
    sees: "Visible spaces, and who sees them:",
    since: (moment: string) => `Published since ${moment}.`,
    tells: "Students see its spaces at once, with what was posted there. Nobody is notified.",
    unpublish: "Take it back",
    unpublished: "Not published",
    unpublishedNow: "No student sees the community any more",
    unpublishTitle: "Take the community back?",
    unseen: "Students see nothing of it until it is published."
  },
  {
    description: "Descrição",
    edit: "Editar",
    everybody: (count: string) => `todos os alunos do clube: ${count}`,
    granted: (count: string) => `alunos com uma entrega que inclui a comunidade: ${count}`,
    hides: "Os alunos deixam de ver tudo, inclusive posts e comentários. Se publicar de novo, ela volta como estava.",
    name: "Nome",
    nobody: (count: string) => `nenhum aluno: ${count}`,
    publish: "Publicar",
    published: "Publicada",
    publishedNow: "A comunidade está publicada",
    publishTitle: "Publicar a comunidade?",
    save: "Salvar",
    saved: "Salvo",
    sees: "Espaços visíveis e quem vê cada um:",
    since: (moment: string) => `Publicada desde ${moment}.`,
    tells: "Os alunos veem os espaços na hora, com o que foi postado. Ninguém é avisado.",
    unpublish: "Tirar do ar",
    unpublished: "Não publicada",
    unpublishedNow: "Os alunos não veem mais a comunidade",
    unpublishTitle: "Tirar a comunidade do ar?",
    unseen: "Os alunos não veem nada até ela ser publicada."
  }
)

interface CommunityProps {
  readonly club: Membership
  readonly community: CommunityOf
}

const Viewers = ({ community }: Pick<CommunityProps, "community">) => {
  const counts = viewersOfAll(community.spaces.filter(({ archived }) => !archived))
  return (
    <>
      <p>{said(words).sees}</p>
      <ul class="consequences">
        {(["everybody", "granted", "nobody"] as const).map((viewers) => (
          <li key={viewers}>{said(words)[viewers](number(counts[viewers]))}</li>
        ))}
      </ul>
    </>
  )
}

const Edit = ({ club, community, onClose }: CommunityProps & { readonly onClose: () => void }) => {
  const form = useForm({
    of: community,
    values: { name: community.name, description: community.description },
    send: async (value) => {
      await turma.community.update({
        ...ofClub(club),
        body: form.changes({ name: value("name"), description: value("description") })
      })
      changed(communityKey(club))
      onClose()
    },
    done: said(words).saved
  })
  return (
    <Dialog title={said(words).edit} onClose={onClose}>
      <form class="stack" onSubmit={form.submit}>
        <TextField form={form} name="name" label={said(words).name} required maxLength={120} autofocus />
        <TextArea form={form} name="description" label={said(words).description} maxLength={2000} />
        <div class="actions">
          <button type="submit" disabled={!form.isChanged} aria-busy={form.isRunning}>{said(words).save}</button>
        </div>
      </form>
    </Dialog>
  )
}

const Publication = ({ club, community, onClose }: CommunityProps & { readonly onClose: () => void }) => {
  const isPublished = community.published_at !== null
  return (
    <Confirm
      title={isPublished ? said(words).unpublishTitle : said(words).publishTitle}
      action={isPublished ? said(words).unpublish : said(words).publish}
      isDangerous={isPublished}
      done={isPublished ? said(words).unpublishedNow : said(words).publishedNow}
      work={async () => {
        await turma.community.update({
          ...ofClub(club),
          body: { published_at: isPublished ? null : timestampOf(currentMillis()) }
        })
        changed(communityKey(club))
      }}
      onClose={onClose}
    >
      <p>{isPublished ? said(words).hides : said(words).tells}</p>
      <Viewers community={community} />
    </Confirm>
  )
}

const Actions = ({ club, community }: CommunityProps) => {
  const isOpen = useSignal<"" | "edit" | "publication">("")
  const close = () => (isOpen.value = "")
  const isPublished = community.published_at !== null
  return (
    <>
      <button type="button" class={isPublished ? "quiet" : ""} onClick={() => (isOpen.value = "publication")}>
        {isPublished ? said(words).unpublish : said(words).publish}
      </button>
      <button type="button" class="quiet" onClick={() => (isOpen.value = "edit")}>{said(words).edit}</button>
      {isOpen.value === "edit" && <Edit club={club} community={community} onClose={close} />}
      {isOpen.value === "publication" && <Publication club={club} community={community} onClose={close} />}
    </>
  )
}

/** The community: what students see of it, and its spaces. */
export default function Community({ club }: ClubViewProps) {
  const community = useRead(communityKey(club), (signal) => turma.community.read(ofClub(club), { signal }))
  return (
    <Shown read={community}>
      {({ data }) => (
        <>
          <PageHead
            title={said(communityWords).community}
            badge={data.published_at === null
              ? <Badge tone="quiet">{said(words).unpublished}</Badge>
              : <Badge tone="good">{said(words).published}</Badge>}
            actions={may(club.role, "teach") && <Actions club={club} community={data} />}
          >
            <p>
              <strong dir="auto">{data.name}</strong>
              {": "}
              {data.published_at === null ? said(words).unseen : said(words).since(dateTime(data.published_at))}
            </p>
            {data.description !== "" && <p class="written" dir="auto">{data.description}</p>}
          </PageHead>
          <Tabs {...communityTabs(club)} />
          <Spaces club={club} community={data} />
        </>
      )}
    </Shown>
  )
}
