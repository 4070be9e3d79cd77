import { date, number } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { BarChart } from "../../../../browser/parts/BarChart.tsx"
import type { Recovery } from "../model/Recovery.ts"

const words = spoken(
  {
    canceled: "Canceled while the endpoint was disabled",
    count: "Deliveries",
    day: "Day",
    days: "Days they were created",
    expired: "They waited for 30 days",
    failed: "Given up",
    left: "Others stay as they are:",
    none: "Nothing is excluded.",
    purged: "Their payload is erased",
    removed: "Their student was removed",
    text: "Each gets exactly one more attempt, with the same id: a receiver that has seen it may ignore it.",
    title: "What was counted",
    type: "Type of event",
    types: "Types of events"
  },
  {
    canceled: "Cancelados enquanto o endpoint estava desativado",
    count: "Envios",
    day: "Dia",
    days: "Dias em que foram criados",
    expired: "Esperaram 30 dias",
    failed: "Abandonados",
    left: "Outros ficam como estão:",
    none: "Nada fica de fora.",
    purged: "O conteúdo foi apagado",
    removed: "O aluno foi removido",
    text: "Cada um recebe exatamente mais uma tentativa, com o mesmo id: um receptor que já o viu pode ignorá-lo.",
    title: "O que foi contado",
    type: "Tipo de evento",
    types: "Tipos de eventos"
  }
)

const LeftOut = ({ of }: { readonly of: Recovery["preview"]["left_out"] }) => {
  const { expired, left, none, purged, removed } = said(words)
  const reasons = [[removed, of.student_removed], [expired, of.expired], [purged, of.payload_purged]] as const
  const there = reasons.filter(([, count]) => count > 0)
  if (there.length === 0) return <p class="soft">{none}</p>
  return (
    <div class="soft">
      <p>{left}</p>
      <ul class="consequences">
        {there.map(([reason, count]) => <li key={reason}>{reason}: {number(count)}</li>)}
      </ul>
    </div>
  )
}

const Types = ({ of }: { readonly of: Recovery["preview"]["by_type"] }) => (
  <div class="table scroll" tabIndex={0} role="region" aria-label={said(words).types}>
    <table>
      <caption class="visually-hidden">{said(words).types}</caption>
      <thead>
        <tr>
          <th scope="col">{said(words).type}</th>
          <th scope="col" class="number">{said(words).count}</th>
        </tr>
      </thead>
      <tbody>
        {of.map(({ count, event_type }) => (
          <tr key={event_type} data-row>
            <td>
              <code>{event_type}</code>
            </td>
            <td class="number">{number(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/** The deliveries of a recovery by cause, type and day, and the ones that it skips. */
export const Preview = ({ of: { preview } }: { readonly of: Recovery }) => {
  const { canceled, count, day, days, failed, text, title } = said(words)
  return (
    <section class="card stack" aria-labelledby="preview">
      <h2 id="preview">{title}</h2>
      <dl class="facts">
        <dt>{failed}</dt>
        <dd class="number">{number(preview.failed)}</dd>
        <dt>{canceled}</dt>
        <dd class="number">{number(preview.endpoint_disabled)}</dd>
      </dl>
      <LeftOut of={preview.left_out} />
      {preview.total > 0 && (
        <>
          <p>{text}</p>
          <Types of={preview.by_type} />
          {preview.by_day.length > 1 && (
            <BarChart
              label={days}
              heads={[day, count]}
              values={preview.by_day.map((one) => ({ name: date(one.date, "UTC"), value: one.count }))}
            />
          )}
        </>
      )}
    </section>
  )
}
