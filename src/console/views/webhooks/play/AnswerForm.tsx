import { turma } from "../../../../browser/client/Api.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { TextField } from "../../../../browser/parts/Fields.tsx"
import { useForm } from "../../../../browser/parts/Form.ts"
import type { Membership } from "../../../club/Session.ts"
import { limitOf, textOfLimit } from "../model/Typed.ts"
import { type Inbox, inboxesChanged } from "./Reads.ts"

const words = spoken(
  {
    delay: "Delay, in milliseconds",
    delayHint: "At most 20,000. An attempt has 15 seconds in all.",
    retry: "Retry-After, in seconds",
    retryHint: "Empty: it asks for no wait.",
    save: "Answer like this from now on",
    saved: "From the next request on, it answers like this",
    status: "Status",
    statusHint: "200 to 599. Any 2xx counts as accepted.",
    title: "How it answers"
  },
  {
    delay: "Atraso, em milissegundos",
    delayHint: "No máximo 20.000. Uma tentativa tem 15 segundos ao todo.",
    retry: "Retry-After, em segundos",
    retryHint: "Em branco: não pede espera.",
    save: "Responder assim de agora em diante",
    saved: "Responde assim a partir da próxima requisição",
    status: "Status",
    statusHint: "200 a 599. Qualquer 2xx vale como aceito.",
    title: "Como ela responde"
  }
)

/** A form for the answer of an inbox. */
export const AnswerForm = ({ club, inbox }: { readonly club: Membership; readonly inbox: Inbox }) => {
  const { delay, delayHint, retry, retryHint, save, saved, status, statusHint, title } = said(words)
  const form = useForm({
    of: `${inbox.status} ${inbox.delay_ms} ${inbox.retry_after_seconds}`,
    values: {
      status: String(inbox.status),
      delay_ms: String(inbox.delay_ms),
      retry_after_seconds: textOfLimit(inbox.retry_after_seconds)
    },
    done: saved,
    send: async (value) => {
      await turma.webhookInboxes.update({
        clubId: club.organization_id,
        inboxId: inbox.id,
        body: form.changes({
          status: Number(value("status")),
          delay_ms: limitOf(value("delay_ms")) ?? 0,
          retry_after_seconds: limitOf(value("retry_after_seconds"))
        })
      })
      inboxesChanged(club)
    }
  })
  return (
    <section class="card stack" aria-labelledby="answer">
      <h2 id="answer">{title}</h2>
      <form class="stack" onSubmit={form.submit}>
        <TextField
          form={form}
          name="status"
          label={status}
          hint={statusHint}
          type="number"
          min={200}
          max={599}
          required
        />
        <TextField form={form} name="delay_ms" label={delay} hint={delayHint} type="number" min={0} max={20_000} />
        <TextField
          form={form}
          name="retry_after_seconds"
          label={retry}
          hint={retryHint}
          type="number"
          min={0}
          max={86_400}
        />
        <div class="actions">
          <button type="submit" aria-busy={form.isRunning} disabled={!form.isChanged}>{save}</button>
        </div>
      </form>
    </section>
  )
}
