import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { turma } from "../../../../browser/client/Api.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { currentMillis, timestampOf } from "../../../../browser/client/Time.ts"
import { SelectField, TextField } from "../../../../browser/parts/Fields.tsx"
import { useForm } from "../../../../browser/parts/Form.ts"
import { PageHead } from "../../../../browser/parts/PageHead.tsx"
import { clubField, clubHint, clubMoment, useOfClub } from "../../../club/ClubZone.ts"
import type { ClubViewProps } from "../../../club/View.ts"
import type { Outage } from "../model/OutageSentence.ts"
import { administered } from "../parts/Administered.tsx"
import { WebhookTabs } from "../parts/WebhookTabs.tsx"
import { Landings } from "./Landings.tsx"

const words = spoken(
  {
    fails: "How it fails",
    failsAtOnce: "It answers with an error, or refuses the connection",
    failsSlowly: "It does not answer: each attempt takes 15 seconds",
    from: "From",
    lead:
      "What happens to the events while your receiver is away? The forecast follows the rules of real deliveries; nothing is sent.",
    rate: "Events an hour",
    rateHint: "They come evenly. An outage has at most 10,000 events.",
    retryAfter: "Retry-After, in seconds",
    retryAfterHint: "The wait that its answers ask for. Empty: they ask for no wait.",
    simulate: "Simulate",
    title: "Simulate an outage",
    to: "To"
  },
  {
    fails: "Como ele falha",
    failsAtOnce: "Responde com um erro, ou recusa a conexão",
    failsSlowly: "Não responde: cada tentativa leva 15 segundos",
    from: "De",
    lead:
      "O que acontece com os eventos enquanto seu receptor está fora do ar? A previsão segue as regras dos envios reais; nada é enviado.",
    rate: "Eventos por hora",
    rateHint: "Chegam em intervalos iguais. Uma queda tem no máximo 10.000 eventos.",
    retryAfter: "Retry-After, em segundos",
    retryAfterHint: "A espera que as respostas pedem. Em branco: não pedem espera.",
    simulate: "Simular",
    title: "Simular uma queda",
    to: "Até"
  }
)

const minute = 60_000

/** An outage of six hours that begins with this minute. */
const proposed = () => {
  const from = Math.floor(currentMillis() / minute) * minute
  return { from: timestampOf(from), to: timestampOf(from + 360 * minute) }
}

const OutagePage = ({ club }: ClubViewProps) => {
  const found = useSignal<Outage | undefined>(undefined)
  const begun = useMemo(proposed, [])
  const form = useForm({
    of: useOfClub(begun),
    values: {
      from: clubField(begun.from),
      to: clubField(begun.to),
      events_per_hour: "12",
      attempt_seconds: "0",
      retry_after_seconds: ""
    },
    send: async (value) => {
      const asked = value("retry_after_seconds").trim()
      const { data } = await turma.webhookOutages.simulate({
        clubId: club.organization_id,
        body: {
          from: clubMoment(value("from")),
          to: clubMoment(value("to")),
          events_per_hour: Number(value("events_per_hour")),
          attempt_seconds: Number(value("attempt_seconds")),
          retry_after_seconds: asked === "" ? null : Number(asked)
        }
      })
      found.value = data
    }
  })
  const {
    fails,
    failsAtOnce,
    failsSlowly,
    from,
    lead,
    rate,
    rateHint,
    retryAfter,
    retryAfterHint,
    simulate,
    title,
    to
  } = said(words)
  const hint = clubHint()
  const hinted = hint === undefined ? {} : { hint }
  return (
    <>
      <PageHead title={title}>
        <p>{lead}</p>
      </PageHead>
      <WebhookTabs club={club} />
      <div class="beside">
        <form class="card stack" onSubmit={form.submit}>
          <TextField form={form} name="from" label={from} type="datetime-local" required {...hinted} />
          <TextField form={form} name="to" label={to} type="datetime-local" required {...hinted} />
          <TextField
            form={form}
            name="events_per_hour"
            label={rate}
            hint={rateHint}
            type="number"
            min={1}
            max={3600}
            required
          />
          <SelectField
            form={form}
            name="attempt_seconds"
            label={fails}
            choices={[{ value: "0", label: failsAtOnce }, { value: "15", label: failsSlowly }]}
          />
          <TextField
            form={form}
            name="retry_after_seconds"
            label={retryAfter}
            hint={retryAfterHint}
            type="number"
            min={0}
            max={86_400}
          />
          <div class="actions">
            <button type="submit" aria-busy={form.isRunning}>{simulate}</button>
          </div>
        </form>
        <div aria-live="polite">{found.value !== undefined && <Landings of={found.value} />}</div>
      </div>
    </>
  )
}

/** A forecast of events while a receiver is away. */
export default administered(OutagePage)
