import { turma } from "../../../../browser/client/Api.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { go } from "../../../../browser/client/Location.ts"
import { Dialog } from "../../../../browser/parts/Dialog.tsx"
import { CheckField, TextField } from "../../../../browser/parts/Fields.tsx"
import { type Form, useForm } from "../../../../browser/parts/Form.ts"
import { tellDone } from "../../../../browser/parts/Toasts.tsx"
import { CohortField, useDeliveries } from "../../../club/Catalog.tsx"
import { clubDayEnd, clubHint } from "../../../club/ClubZone.ts"
import type { Membership } from "../../../club/Session.ts"
import { clubPage } from "../../../club/View.ts"

const words = spoken(
  {
    access: "Access",
    accessText: "Every student gets free deliveries.",
    add: "Add the student",
    added: "The student was added",
    document: "Tax document",
    documentHint: "Optional. Webhooks and exports leave it out.",
    email: "E-mail",
    ends: "Access until",
    endsHint: "The end of that day. Empty: as the delivery says.",
    invite: "Mail them a link that signs them in",
    name: "Name",
    title: "Add a student"
  },
  {
    access: "Acesso",
    accessText: "As entregas gratuitas todo aluno já recebe.",
    add: "Adicionar o aluno",
    added: "O aluno foi adicionado",
    document: "CPF ou CNPJ",
    documentHint: "Opcional. Não vai em webhooks nem em exportações.",
    email: "E-mail",
    ends: "Acesso até",
    endsHint: "Até o fim desse dia. Em branco: como diz a entrega.",
    invite: "Enviar por e-mail um link para entrar",
    name: "Nome",
    title: "Adicionar aluno"
  }
)

/** The deliveries to give: a checkbox each, and the cohort if only one is checked. */
const Grants = ({ club, form }: { readonly club: Membership; readonly form: Form }) => {
  const { data: deliveries = [] } = useDeliveries(club)
  const offered = deliveries.filter(({ archived, free }) => !archived && !free)
  const chosen = offered.filter(({ id }) => form.value(`grant ${id}`) === "true")
  const [only] = chosen
  if (offered.length === 0) return null
  return (
    <fieldset class="stack">
      <legend>{said(words).access}</legend>
      <p class="hint">{said(words).accessText}</p>
      {offered.map(({ id, name }) => <CheckField key={id} form={form} name={`grant ${id}`} label={name} />)}
      {chosen.length === 1 && only !== undefined && <CohortField club={club} deliveryId={only.id} form={form} />}
      {chosen.length > 0 && (
        <TextField
          form={form}
          name="expires_at"
          label={said(words).ends}
          hint={clubHint(said(words).endsHint)}
          type="date"
        />
      )}
    </fieldset>
  )
}

/** Lets somebody in, with what they get access to. */
export const AddStudent = ({ club, onClose }: { readonly club: Membership; readonly onClose: () => void }) => {
  const clubId = club.organization_id
  const { data: deliveries = [] } = useDeliveries(club)
  const form = useForm({
    values: { name: "", email: "", document: "", send_invite: "true" },
    send: async (value) => {
      const chosen = deliveries.filter(({ id }) => value(`grant ${id}`) === "true")
      const cohort_id = chosen.length === 1 && value("cohort_id") !== "" ? value("cohort_id") : undefined
      const { data } = await turma.students.create({
        clubId,
        body: {
          name: value("name"),
          email: value("email").trim(),
          ...(value("document").trim() === "" ? {} : { document: value("document").trim() }),
          grants: chosen.map(({ id: delivery_id }) => ({
            delivery_id,
            ...(cohort_id === undefined ? {} : { cohort_id }),
            ...(value("expires_at") === "" ? {} : { expires_at: clubDayEnd(value("expires_at")) })
          })),
          send_invite: value("send_invite") === "true"
        }
      })
      tellDone(said(words).added)
      go(clubPage(club, "students", data.id))
    }
  })
  return (
    <Dialog title={said(words).title} onClose={onClose}>
      <form class="stack" onSubmit={form.submit}>
        <TextField form={form} name="name" label={said(words).name} required maxLength={200} autofocus />
        <TextField form={form} name="email" label={said(words).email} type="email" required autocomplete="off" />
        <TextField
          form={form}
          name="document"
          label={said(words).document}
          hint={said(words).documentHint}
          maxLength={32}
          autocomplete="off"
        />
        <Grants club={club} form={form} />
        <CheckField form={form} name="send_invite" label={said(words).invite} />
        <div class="actions">
          <button type="submit" aria-busy={form.isRunning}>{said(words).add}</button>
        </div>
      </form>
    </Dialog>
  )
}
