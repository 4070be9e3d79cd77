import { useSignal } from "@preact/signals"
import { turma } from "../../../../browser/client/Api.ts"
import { counted, number } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { go } from "../../../../browser/client/Location.ts"
import { currentMillis } from "../../../../browser/client/Time.ts"
import { SelectField, TextField } from "../../../../browser/parts/Fields.tsx"
import { useForm } from "../../../../browser/parts/Form.ts"
import type { Membership } from "../../../club/Session.ts"
import { clubPage } from "../../../club/View.ts"
import { mostHours, recoverySince } from "../model/Recovery.ts"
import { asEventTypes, limitOf } from "../model/Typed.ts"
import { endpointsChanged } from "../parts/Reads.ts"
import { TypeChoices } from "./TypeChoices.tsx"

const words = spoken(
  {
    all: "All types of events",
    back: "Period",
    backs: { "1": "Last hour", "24": "24 hours", "168": "7 days", "720": "30 days" },
    count: "Count what would be sent",
    newest: "Newest first",
    oldest: "Oldest first",
    order: "Send first",
    rate: "Most per second",
    rateHint: "Empty: as fast as the receiver takes them. It can be changed while it runs.",
    some: (count: number) => counted(count, "1 type of events", `${number(count)} types of events`),
    text:
      "You can resend failed deliveries, and those canceled while the endpoint was disabled. First they are counted. Nothing is sent until you start it.",
    title: "Recover what was not delivered"
  },
  {
    all: "Todos os tipos de eventos",
    back: "Período",
    backs: { "1": "Última hora", "24": "24 horas", "168": "7 dias", "720": "30 dias" },
    count: "Contar o que seria enviado",
    newest: "Os mais novos primeiro",
    oldest: "Os mais antigos primeiro",
    order: "Enviar primeiro",
    rate: "Quantos por segundo, no máximo",
    rateHint: "Em branco: tão rápido quanto o receptor aceitar. Dá para mudar durante a recuperação.",
    some: (count: number) => counted(count, "1 tipo de evento", `${number(count)} tipos de eventos`),
    text:
      "Dá para reenviar os envios abandonados e os cancelados enquanto o endpoint estava desativado. Primeiro eles são contados. Nada é enviado até você começar.",
    title: "Recuperar o que não foi entregue"
  }
)

const hours = { "1": 1, "24": 24, "168": 168, "720": mostHours } as const
type Hours = keyof typeof hours

/** A form for a recovery: its time span, types, order and rate. It counts the deliveries first. */
export const RecoveryForm = ({ club, endpointId }: { readonly club: Membership; readonly endpointId: string }) => {
  const back = useSignal<Hours>("24")
  const chosen = useSignal<ReadonlySet<string>>(new Set())
  const form = useForm({
    values: { order: "oldest", rate: "" },
    send: async (value) => {
      const now = currentMillis()
      const types = asEventTypes(chosen.peek())
      const { data } = await turma.webhookRecoveries.create({
        clubId: club.organization_id,
        endpointId,
        body: {
          since: recoverySince(hours[back.peek()], now, now),
          event_types: types.length === 0 ? null : types,
          order: value("order") === "newest" ? "newest" : "oldest",
          rate: limitOf(value("rate"))
        }
      })
      endpointsChanged(club)
      go(clubPage(club, "webhooks", endpointId, "recoveries", data.id))
    }
  })
  const { all, back: backLabel, backs, count, newest, oldest, order, rate, rateHint, some, text, title } = said(words)
  return (
    <section class="card stack" aria-labelledby="recover">
      <h2 id="recover">{title}</h2>
      <p class="soft">{text}</p>
      <form class="stack narrow" onSubmit={form.submit}>
        <div class="field">
          <span class="label">{backLabel}</span>
          <div class="chosen" role="group" aria-label={backLabel}>
            {(["1", "24", "168", "720"] as const).map((one) => (
              <button
                key={one}
                type="button"
                class="quiet"
                aria-pressed={one === back.value}
                onClick={() => (back.value = one)}
              >
                {backs[one]}
              </button>
            ))}
          </div>
        </div>
        <details>
          <summary>{chosen.value.size === 0 ? all : some(chosen.value.size)}</summary>
          <TypeChoices club={club} chosen={chosen.value} choose={(types) => (chosen.value = types)} />
        </details>
        <SelectField
          form={form}
          name="order"
          label={order}
          choices={[{ value: "oldest", label: oldest }, { value: "newest", label: newest }]}
        />
        <TextField form={form} name="rate" label={rate} hint={rateHint} type="number" min={1} max={1000} />
        <div class="actions">
          <button type="submit" aria-busy={form.isRunning}>{count}</button>
        </div>
      </form>
    </section>
  )
}
