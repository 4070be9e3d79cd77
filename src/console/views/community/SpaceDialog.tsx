import { turma } from "../../../browser/client/Api.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { changed } from "../../../browser/client/Reads.ts"
import { Dialog } from "../../../browser/parts/Dialog.tsx"
import { SelectField, TextArea, TextField } from "../../../browser/parts/Fields.tsx"
import { useForm } from "../../../browser/parts/Form.ts"
import type { Schemas } from "../../../sdk/index.ts"
import type { Membership } from "../../club/Session.ts"
import { ofClub } from "../../club/View.ts"
import { communityKey } from "./shared.ts"

const words = spoken(
  {
    access: "Who may enter",
    accessCommunity: "Every student of the club",
    accessDelivery: "Students with a delivery that contains the community",
    create: "New space",
    description: "What it is for",
    edit: "Edit the space",
    hidden: "Hidden from all students",
    members: "Shown to those who may enter",
    name: "Name",
    posting: "Who posts",
    postingMembers: "Students and the team",
    postingStaff: "Only the team; students comment",
    public: "Shown to those who may enter, marked as public",
    save: "Save",
    saved: "Saved",
    visibility: "Who sees it"
  },
  {
    access: "Quem pode entrar",
    accessCommunity: "Todos os alunos do clube",
    accessDelivery: "Alunos com uma entrega que inclui a comunidade",
    create: "Novo espaço",
    description: "Para que serve",
    edit: "Editar o espaço",
    hidden: "Oculto para todos os alunos",
    members: "Visível para quem pode entrar",
    name: "Nome",
    posting: "Quem posta",
    postingMembers: "Os alunos e a equipe",
    postingStaff: "Só a equipe; os alunos comentam",
    public: "Visível para quem pode entrar, marcado como público",
    save: "Salvar",
    saved: "Salvo",
    visibility: "Quem vê"
  }
)

interface SpaceDialogProps {
  readonly club: Membership
  /** The space that is changed. Undefined for a new one. */
  readonly space: Schemas["Space"] | undefined
  readonly onClose: () => void
}

/** A space: its name, and what students may do there. */
export const SpaceDialog = ({ club, onClose, space }: SpaceDialogProps) => {
  const form = useForm({
    of: space,
    values: {
      name: space?.name ?? "",
      description: space?.description ?? "",
      access: space?.access ?? "community",
      visibility: space?.visibility ?? "members",
      posting: space?.posting ?? "members"
    },
    send: async (value) => {
      const visibility = value("visibility")
      const body = {
        name: value("name"),
        description: value("description"),
        access: value("access") === "delivery" ? "delivery" : "community",
        visibility: visibility === "hidden" || visibility === "public" ? visibility : "members",
        posting: value("posting") === "staff" ? "staff" : "members"
      } as const
      await (space === undefined
        ? turma.community.createSpace({ ...ofClub(club), body })
        : turma.community.updateSpace({ ...ofClub(club), spaceId: space.id, body: form.changes(body) }))
      changed(communityKey(club))
      onClose()
    },
    done: said(words).saved
  })
  return (
    <Dialog title={space === undefined ? said(words).create : said(words).edit} onClose={onClose}>
      <form class="stack" onSubmit={form.submit}>
        <TextField form={form} name="name" label={said(words).name} required maxLength={120} autofocus />
        <TextArea form={form} name="description" label={said(words).description} maxLength={2000} rows={3} />
        <SelectField
          form={form}
          name="access"
          label={said(words).access}
          choices={[
            { value: "community", label: said(words).accessCommunity },
            { value: "delivery", label: said(words).accessDelivery }
          ]}
        />
        <SelectField
          form={form}
          name="visibility"
          label={said(words).visibility}
          choices={[
            { value: "members", label: said(words).members },
            { value: "public", label: said(words).public },
            { value: "hidden", label: said(words).hidden }
          ]}
        />
        <SelectField
          form={form}
          name="posting"
          label={said(words).posting}
          choices={[
            { value: "members", label: said(words).postingMembers },
            { value: "staff", label: said(words).postingStaff }
          ]}
        />
        <div class="actions">
          <button type="submit" disabled={space !== undefined && !form.isChanged} aria-busy={form.isRunning}>
            {said(words).save}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
