import { turma } from "../../../../browser/client/Api.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { Dialog } from "../../../../browser/parts/Dialog.tsx"
import { TextField } from "../../../../browser/parts/Fields.tsx"
import { useForm } from "../../../../browser/parts/Form.ts"
import { DeliveryFields } from "../../../club/Catalog.tsx"
import { clubDayEnd, clubHint } from "../../../club/ClubZone.ts"
import { studentChanged, type StudentProps } from "./Reads.ts"

const words = spoken(
  {
    done: "Access was granted",
    ends: "Until",
    endsHint: "The end of that day. Empty: after the delivery's days, or when the cohort ends.",
    give: "Give access",
    reason: "Why",
    reasonHint: "For the history of the access. Optional.",
    what: "The student has access at once, or when the cohort begins. Your webhooks get access.granted."
  },
  {
    done: "O acesso foi liberado",
    ends: "Até",
    endsHint: "Até o fim desse dia. Em branco: pelo prazo da entrega ou até o fim da turma.",
    give: "Liberar acesso",
    reason: "Motivo",
    reasonHint: "Para o histórico do acesso. Opcional.",
    what: "O aluno tem acesso na hora, ou quando a turma começar. Seus webhooks recebem access.granted."
  }
)

/** Gives a student a delivery. */
export const Grant = ({ club, onClose, student }: StudentProps & { readonly onClose: () => void }) => {
  const form = useForm({
    values: { delivery_id: "", cohort_id: "", expires_at: "", reason: "" },
    send: async (value) => {
      await turma.enrollments.grant({
        clubId: club.organization_id,
        studentId: student.id,
        body: {
          delivery_id: value("delivery_id"),
          ...(value("cohort_id") === "" ? {} : { cohort_id: value("cohort_id") }),
          ...(value("expires_at") === "" ? {} : { expires_at: clubDayEnd(value("expires_at")) }),
          ...(value("reason").trim() === "" ? {} : { reason: value("reason").trim() })
        }
      })
      studentChanged(club, student.id)
      onClose()
    },
    done: said(words).done
  })
  return (
    <Dialog title={said(words).give} onClose={onClose}>
      <form class="stack" onSubmit={form.submit}>
        <p class="soft">{said(words).what}</p>
        <DeliveryFields club={club} form={form} />
        <TextField
          form={form}
          name="expires_at"
          label={said(words).ends}
          hint={clubHint(said(words).endsHint)}
          type="date"
        />
        <TextField
          form={form}
          name="reason"
          label={said(words).reason}
          hint={said(words).reasonHint}
          maxLength={500}
          autocomplete="off"
        />
        <div class="actions">
          <button type="submit" disabled={form.value("delivery_id") === ""} aria-busy={form.isRunning}>
            {said(words).give}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
