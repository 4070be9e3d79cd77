import { useMemo } from "preact/hooks"
import { turma } from "../../../../browser/client/Api.ts"
import { withDates } from "../../../../browser/client/Format.ts"
import { useInterval } from "../../../../browser/client/Interval.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { changed, useRead } from "../../../../browser/client/Reads.ts"
import { Moment } from "../../../../browser/parts/Moment.tsx"
import { PageHead } from "../../../../browser/parts/PageHead.tsx"
import { Failure, Loading } from "../../../../browser/parts/States.tsx"
import type { Schemas } from "../../../../sdk/index.ts"
import { DeliveryBadge } from "../../../club/DeliveryBadge.tsx"
import { clubPage, type ClubViewProps } from "../../../club/View.ts"
import { useFollowed } from "../deliveries/useFollowed.ts"
import { stateOf } from "../model/DeliveryState.ts"
import { type Endpoint, nameOf } from "../model/EndpointHealth.ts"
import { type Cause, explanation } from "../model/Explanation.ts"
import { administered } from "../parts/Administered.tsx"
import { endpointsKey, useEndpoints } from "../parts/Reads.ts"
import { sentenceContext } from "../parts/sentenceContext.ts"
import { Payload } from "./Payload.tsx"

const words = spoken(
  {
    created: "Assembled",
    deleted: "Deleted endpoint",
    deliveries: "Where it was sent",
    lead: (all: number, done: number) =>
      all === 0
        ? "It was sent to no endpoint."
        : all === 1
        ? done === 1
          ? "It went to one endpoint, and was delivered."
          : "It goes to one endpoint, and is not delivered yet."
        : `It goes to ${all} endpoints, and ${
          done === all ? "all have" : `${done} of them ${done === 1 ? "has" : "have"}`
        } accepted it.`,
    purged: "The payload is erased: it is kept for 30 days, or until its student is removed.",
    student: "Student",
    title: "Event",
    unknown: "It is older than 90 days (30 days if it was sent to no endpoint), or the id does not belong to an event.",
    webhooks: "Webhooks"
  },
  {
    created: "Montado",
    deleted: "Endpoint excluído",
    deliveries: "Para onde foi",
    lead: (all: number, done: number) =>
      all === 0
        ? "Não foi enviado a nenhum endpoint."
        : all === 1
        ? done === 1 ? "Foi a um endpoint e foi entregue." : "Vai a um endpoint e ainda não foi entregue."
        : `Vai a ${all} endpoints; ${
          done === all ? "todos aceitaram" : `${done} ${done === 1 ? "aceitou" : "aceitaram"}`
        }.`,
    purged: "O conteúdo foi apagado: é guardado por 30 dias, ou até o aluno ser removido.",
    student: "Aluno",
    title: "Evento",
    unknown: "Tem mais de 90 dias (30 dias se não foi enviado a nenhum endpoint), ou o id não é de um evento.",
    webhooks: "Webhooks"
  }
)

type Known = Schemas["WebhookEvent"]

/** By itself, since it changes every second. */
const Why = ({ cause, delivery, endpoint }: {
  readonly cause: Cause
  readonly delivery: Known["deliveries"][number]
  readonly endpoint: Endpoint | undefined
}) => <p class="soft small">{withDates(explanation(delivery, { cause, endpoint }, sentenceContext()))}</p>

const DeliveriesOf = ({ club, event }: Pick<ClubViewProps, "club"> & { readonly event: Known }) => {
  const endpoints = useEndpoints(club)
  const isPending = event.deliveries.some(({ status }) => status === "pending")
  useInterval(isPending ? 3000 : undefined, endpoints.reload)
  const causeOf = (id: string) => event.diagnoses.find(({ delivery_id }) => delivery_id === id)?.diagnosis ?? null
  const { deleted, deliveries } = said(words)
  return (
    <section class="card stack" aria-labelledby="deliveries">
      <h2 id="deliveries">{deliveries}</h2>
      <ul class="plain-list stack">
        {event.deliveries.map((delivery) => {
          const endpoint = endpoints.data?.find(({ id }) => id === delivery.endpoint_id)
          return (
            <li key={delivery.id}>
              <div class="row">
                {endpoint === undefined ?
                  <span>{endpoints.data === undefined ? "" : deleted}</span> :
                  (
                    <a href={clubPage(club, "webhooks", endpoint.id, "deliveries", delivery.id)} dir="auto">
                      {nameOf(endpoint)}
                    </a>
                  )}
                <DeliveryBadge of={delivery} />
              </div>
              {endpoints.data !== undefined && (
                <Why cause={causeOf(delivery.id)} delivery={delivery} endpoint={endpoint} />
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const Shown = ({ club, event }: Pick<ClubViewProps, "club"> & { readonly event: Known }) => {
  const body = useMemo(() => JSON.stringify(event.payload), [event.payload])
  const { created, purged, student, title } = said(words)
  return (
    <>
      <dl class="facts">
        <dt>{title}</dt>
        <dd>
          <code>{event.id}</code>
        </dd>
        {event.student_id !== null && (
          <>
            <dt>{student}</dt>
            <dd>
              <a href={clubPage(club, "students", event.student_id)}>
                <code>{event.student_id}</code>
              </a>
            </dd>
          </>
        )}
        <dt>{created}</dt>
        <dd>
          <Moment at={event.created_at} />
        </dd>
      </dl>
      {event.deliveries.length > 0 && <DeliveriesOf club={club} event={event} />}
      {event.payload_purged ? <p class="soft">{purged}</p> : <Payload body={body} payload={event.payload} />}
    </>
  )
}

const useEvent = (club: ClubViewProps["club"], eventId: string) => {
  const key = endpointsKey(club, "events", eventId)
  const read = useRead(key, async (signal) => {
    const found = await turma.webhookDeliveries.event({ clubId: club.organization_id, eventId }, { signal })
    return found.data
  })
  const { data } = read
  const wanted = { club, endpointId: undefined, filter: { event_id: eventId } }
  // Its payload may be large, so it is read again only when something has changed.
  useFollowed(data === undefined ? undefined : eventId, wanted, (deliveries) => {
    const known = new Map(data?.deliveries.map((delivery) => [delivery.id, stateOf(delivery)]))
    if (deliveries.some((delivery) => known.get(delivery.id) !== stateOf(delivery))) changed(key)
  })
  return read
}

const EventPage = ({ club, params: { event: eventId = "" } }: ClubViewProps) => {
  const { data, error } = useEvent(club, eventId)
  const { lead, title, unknown, webhooks } = said(words)
  const done = data?.deliveries.filter(({ status }) => status === "succeeded").length ?? 0
  return (
    <>
      <PageHead title={data?.type ?? title} above={[{ label: webhooks, to: clubPage(club, "webhooks") }]}>
        {data !== undefined && <p>{lead(data.deliveries.length, done)}</p>}
        {error?.status === 404 && <p>{unknown}</p>}
      </PageHead>
      {data !== undefined
        ? <Shown club={club} event={data} />
        : error === undefined
        ? <Loading />
        : <Failure error={error} />}
    </>
  )
}

/** An event: its body, and its result at every endpoint. */
export default administered(EventPage)
