import { turma } from "../../../browser/client/Api.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { Dialog } from "../../../browser/parts/Dialog.tsx"
import { TextArea } from "../../../browser/parts/Fields.tsx"
import { useForm } from "../../../browser/parts/Form.ts"
import { ofClub } from "../View.ts"

const words = spoken(
  {
    action: "Report",
    done: "The team will look at it",
    intro: "The team sees your report. The author does not learn who reported it.",
    reason: "What is wrong with it? (optional)",
    title: "Report this comment"
  },
  {
    action: "Denunciar",
    done: "A equipe vai dar uma olhada",
    intro: "A equipe vê a sua denúncia. Quem escreveu não fica sabendo quem denunciou.",
    reason: "Qual é o problema? (opcional)",
    title: "Denunciar este comentário"
  }
)

/** Tells the team of a comment. */
export const Report = ({ commentId, onClose }: { readonly commentId: string; readonly onClose: () => void }) => {
  const form = useForm({
    values: { reason: "" },
    send: async (value) => {
      const reason = value("reason").trim()
      await turma.classroomComments.report({
        ...ofClub,
        commentId,
        body: { reason: reason === "" ? null : reason }
      })
      onClose()
    },
    done: said(words).done
  })
  return (
    <Dialog title={said(words).title} onClose={onClose}>
      <form class="stack" onSubmit={form.submit}>
        <p>{said(words).intro}</p>
        <TextArea form={form} name="reason" label={said(words).reason} rows={3} maxLength={500} />
        <div class="actions">
          <button type="submit" aria-busy={form.isRunning}>{said(words).action}</button>
        </div>
      </form>
    </Dialog>
  )
}
