import { useSignal } from "@preact/signals"
import { turma } from "../../../../browser/client/Api.ts"
import { dateTime } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { TextField } from "../../../../browser/parts/Fields.tsx"
import { orNull, useForm } from "../../../../browser/parts/Form.ts"
import { may } from "../../../club/Rights.ts"
import { commonWords } from "../words.ts"
import { studentChanged, type StudentProps } from "./Reads.ts"
import { Removal } from "./Removal.tsx"

const words = spoken(
  {
    created: "Account made",
    document: "Tax document",
    documentHint: "Only owners and administrators see it. Empty: no document.",
    email: "E-mail",
    emailHint: "A new address ends every session of the student. Both addresses get a mail.",
    hasPassword: "by password, or by mailed codes",
    name: "Name",
    noPassword: "by mailed codes",
    profile: "Profile",
    remove: "Remove the student",
    removeText: "For people who ask to be forgotten. Everything about the person is erased for good.",
    signsIn: "Signs in"
  },
  {
    created: "Conta criada",
    document: "CPF ou CNPJ",
    documentHint: "Só titulares e administradores veem. Em branco: nenhum.",
    email: "E-mail",
    emailHint: "Um endereço novo encerra todas as sessões do aluno. Os dois endereços recebem um e-mail.",
    hasPassword: "com senha ou com códigos por e-mail",
    name: "Nome",
    noPassword: "com códigos por e-mail",
    profile: "Perfil",
    remove: "Remover o aluno",
    removeText: "Para quem pede para ser esquecido. Tudo sobre a pessoa é apagado definitivamente.",
    signsIn: "Forma de entrar"
  }
)

const Facts = ({ club, student }: StudentProps) => (
  <dl class="facts">
    {!may(club.role, "support") && (
      <>
        <dt>{said(words).name}</dt>
        <dd dir="auto">{student.name}</dd>
        <dt>{said(words).email}</dt>
        <dd>{student.email}</dd>
      </>
    )}
    <dt>{said(words).signsIn}</dt>
    <dd>{student.has_password ? said(words).hasPassword : said(words).noPassword}</dd>
    <dt>{said(words).created}</dt>
    <dd>{dateTime(student.created_at)}</dd>
  </dl>
)

const Edit = ({ club, student }: StudentProps) => {
  const isAdministrator = may(club.role, "administer")
  const form = useForm({
    of: student,
    values: { name: student.name, email: student.email, document: student.document ?? "" },
    send: async (value) => {
      await turma.students.update({
        clubId: club.organization_id,
        studentId: student.id,
        body: form.changes({
          name: value("name"),
          email: value("email").trim(),
          document: orNull(value("document"))
        })
      })
      studentChanged(club, student.id)
    },
    done: said(commonWords).saved
  })
  return (
    <form class="stack" onSubmit={form.submit}>
      <TextField form={form} name="name" label={said(words).name} required maxLength={200} autocomplete="off" />
      <TextField
        form={form}
        name="email"
        label={said(words).email}
        hint={said(words).emailHint}
        type="email"
        required
        autocomplete="off"
      />
      {isAdministrator && (
        <TextField
          form={form}
          name="document"
          label={said(words).document}
          hint={said(words).documentHint}
          maxLength={32}
          autocomplete="off"
        />
      )}
      <div class="actions">
        <button type="submit" disabled={!form.isChanged} aria-busy={form.isRunning}>{said(commonWords).save}</button>
      </div>
    </form>
  )
}

/** A student's name and address, to correct or to remove. */
export const Profile = ({ club, student }: StudentProps) => {
  const isRemoving = useSignal(false)
  return (
    <>
      <section class="card stack narrow" aria-labelledby="profile">
        <h2 id="profile">{said(words).profile}</h2>
        <Facts club={club} student={student} />
        {may(club.role, "support") && <Edit club={club} student={student} />}
      </section>
      {may(club.role, "administer") && (
        <section class="card stack narrow" aria-labelledby="removal">
          <h2 id="removal">{said(words).remove}</h2>
          <p class="soft">{said(words).removeText}</p>
          <div class="actions">
            <button type="button" class="danger" onClick={() => (isRemoving.value = true)}>{said(words).remove}</button>
          </div>
        </section>
      )}
      {isRemoving.value && <Removal club={club} student={student} onClose={() => (isRemoving.value = false)} />}
    </>
  )
}
