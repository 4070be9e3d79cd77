import { turma } from "../../../../browser/client/Api.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { Dialog } from "../../../../browser/parts/Dialog.tsx"
import { CheckField, TextField } from "../../../../browser/parts/Fields.tsx"
import { type Form, useForm } from "../../../../browser/parts/Form.ts"
import { clock } from "../../../../browser/parts/Moment.tsx"
import { CohortField } from "../../../club/Catalog.tsx"
import { clubDayEnd, clubHint, clubTime, dayEnd } from "../../../club/ClubZone.ts"
import { type AccessAction, endChange } from "../model/AccessState.ts"
import { type Student, studentChanged, type StudentProps } from "./Reads.ts"

const words = spoken(
  {
    changes: {
      again: (end: string) => `The student has access again, ${end}.`,
      earlier: (end: string) => `The student has access for a shorter time, ${end}.`,
      later: (end: string) => `The student has access for longer, ${end}.`,
      over: () => "The student loses access at once."
    },
    done: { extend: "Extended", move: "Moved", restore: "Given back", revoke: "Taken away", shorten: "Shortened" },
    end: "New end",
    endHint: "The end of that day.",
    ends: (moment: string) => `Now it ends ${moment}.`,
    never: "Now it has no end.",
    reason: "Why",
    reasonHint: "For the history of the access. Optional.",
    titles: {
      extend: "Extend access",
      move: "Move to another cohort",
      restore: "Give access back",
      revoke: "Take access away",
      shorten: "Shorten access"
    },
    what: {
      extend: "It ends later. If it is over, it begins again. Your webhooks get access.extended.",
      move: "Start and end stay as they are. Your webhooks get access.moved.",
      restore: "The student has access again at once, until the same end as before. Your webhooks get access.restored.",
      revoke:
        "The student loses access at once. Progress stays, and you can give access back. Your webhooks get access.revoked.",
      shorten: "It ends earlier. A past day ends it now. Your webhooks get access.shortened."
    },
    until: (moment: string) => `until ${moment}`,
    untilNever: "without end",
    withoutEnd: "Without end"
  },
  {
    changes: {
      again: (end: string) => `O aluno volta a ter acesso, ${end}.`,
      earlier: (end: string) => `O aluno tem acesso por menos tempo, ${end}.`,
      later: (end: string) => `O aluno tem acesso por mais tempo, ${end}.`,
      over: () => "O aluno perde o acesso na hora."
    },
    done: {
      extend: "Estendido",
      move: "Turma alterada",
      restore: "Restaurado",
      revoke: "Retirado",
      shorten: "Fim antecipado"
    },
    end: "Novo fim",
    endHint: "Até o fim desse dia.",
    ends: (moment: string) => `Agora termina em ${moment}.`,
    never: "Agora não tem fim.",
    reason: "Motivo",
    reasonHint: "Para o histórico do acesso. Opcional.",
    titles: {
      extend: "Estender o acesso",
      move: "Mudar de turma",
      restore: "Restaurar o acesso",
      revoke: "Retirar o acesso",
      shorten: "Antecipar o fim do acesso"
    },
    what: {
      extend: "Termina mais tarde. Se já terminou, volta a valer. Seus webhooks recebem access.extended.",
      move: "Início e fim ficam como estão. Seus webhooks recebem access.moved.",
      restore: "O aluno volta a ter acesso na hora, até o mesmo fim de antes. Seus webhooks recebem access.restored.",
      revoke:
        "O aluno perde o acesso na hora. O progresso fica, e dá para restaurar. Seus webhooks recebem access.revoked.",
      shorten: "Termina antes. Com um dia que já passou, termina agora. Seus webhooks recebem access.shortened."
    },
    until: (moment: string) => `até ${moment}`,
    untilNever: "sem fim",
    withoutEnd: "Sem fim"
  }
)

type Enrollment = Student["enrollments"][number]

interface Target {
  readonly clubId: string
  readonly enrollmentId: string
}

const send = (action: AccessAction, target: Target, value: (name: string) => string) => {
  const why = value("reason").trim() === "" ? {} : { reason: value("reason").trim() }
  const day = value("expires_at")
  switch (action) {
    case "extend":
      return turma.enrollments.extend({
        ...target,
        body: { expires_at: value("never") === "true" ? null : clubDayEnd(day), ...why }
      })
    case "shorten":
      return turma.enrollments.shorten({ ...target, body: { expires_at: clubDayEnd(day), ...why } })
    case "move":
      return turma.enrollments.move({
        ...target,
        body: { cohort_id: value("cohort_id") === "" ? null : value("cohort_id"), ...why }
      })
    case "revoke":
      return turma.enrollments.revoke({ ...target, body: why })
    case "restore":
      return turma.enrollments.restore({ ...target, body: why })
  }
}

const asksForEnd = (action: AccessAction) => action === "extend" || action === "shorten"

/** The effect of the entered end. Renders nothing without one. */
const Consequence = ({ enrollment, form }: { readonly enrollment: Enrollment; readonly form: Form }) => {
  const isNever = form.value("never") === "true"
  const day = form.value("expires_at")
  if (!isNever && day === "") return null
  const end = isNever ? null : dayEnd(day)
  if (end === undefined) return null
  const until = end === null ? said(words).untilNever : said(words).until(clubTime(end))
  return <p class="notice" role="status">{said(words).changes[endChange(enrollment, end, clock.value)](until)}</p>
}

const End = ({ action, enrollment, form }: {
  readonly action: AccessAction
  readonly enrollment: Enrollment
  readonly form: Form
}) => (
  <>
    {form.value("never") !== "true" && (
      <TextField
        form={form}
        name="expires_at"
        label={said(words).end}
        hint={clubHint(said(words).endHint)}
        type="date"
        required
      />
    )}
    {action === "extend" && <CheckField form={form} name="never" label={said(words).withoutEnd} />}
    <Consequence enrollment={enrollment} form={form} />
  </>
)

interface ChangeProps extends StudentProps {
  readonly enrollment: Enrollment
  readonly action: AccessAction
  readonly onClose: () => void
}

/** Changes an access after the person has read the effect. */
export const ChangeAccess = ({ club, action, enrollment, onClose, student }: ChangeProps) => {
  const form = useForm({
    values: { expires_at: "", never: "", cohort_id: enrollment.cohort_id ?? "", reason: "" },
    send: async (value) => {
      await send(action, { clubId: club.organization_id, enrollmentId: enrollment.id }, value)
      studentChanged(club, student.id)
      onClose()
    },
    done: said(words).done[action]
  })
  const { expires_at } = enrollment
  return (
    <Dialog title={said(words).titles[action]} onClose={onClose}>
      <form class="stack" onSubmit={form.submit}>
        <p dir="auto">
          <strong>{enrollment.delivery_name}</strong>
        </p>
        <p>{said(words).what[action]}</p>
        {asksForEnd(action) && (
          <p class="soft">{expires_at === null ? said(words).never : said(words).ends(clubTime(expires_at))}</p>
        )}
        {asksForEnd(action) && <End action={action} enrollment={enrollment} form={form} />}
        {action === "move" && <CohortField club={club} deliveryId={enrollment.delivery_id} form={form} isSaid />}
        <TextField
          form={form}
          name="reason"
          label={said(words).reason}
          hint={said(words).reasonHint}
          maxLength={500}
          autocomplete="off"
        />
        <div class="actions">
          <button type="submit" class={action === "revoke" ? "danger" : ""} aria-busy={form.isRunning}>
            {said(words).titles[action]}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
