import type { ComponentChildren } from "preact"
import { useMemo } from "preact/hooks"
import { turma } from "../../../../browser/client/Api.ts"
import { withDates } from "../../../../browser/client/Format.ts"
import { useInterval } from "../../../../browser/client/Interval.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { changed, useRead } from "../../../../browser/client/Reads.ts"
import { ActionButton } from "../../../../browser/parts/ActionButton.tsx"
import { CopyButton } from "../../../../browser/parts/Code.tsx"
import { Moment } from "../../../../browser/parts/Moment.tsx"
import { PageHead } from "../../../../browser/parts/PageHead.tsx"
import { Failure, Loading } from "../../../../browser/parts/States.tsx"
import type { Schemas } from "../../../../sdk/index.ts"
import { DeliveryBadge } from "../../../club/DeliveryBadge.tsx"
import type { Membership } from "../../../club/Session.ts"
import { clubPage, type ClubViewProps } from "../../../club/View.ts"
import { useFollowed } from "../deliveries/useFollowed.ts"
import { curlOf } from "../model/Curl.ts"
import { stateOf } from "../model/DeliveryState.ts"
import { type Endpoint, nameOf } from "../model/EndpointHealth.ts"
import { explanation } from "../model/Explanation.ts"
import { administered } from "../parts/Administered.tsx"
import { endpointsChanged, endpointsKey, useEndpoint } from "../parts/Reads.ts"
import { sentenceContext } from "../parts/sentenceContext.ts"
import { Attempts } from "./Attempts.tsx"
import { Payload } from "./Payload.tsx"
import { Verify } from "./Verify.tsx"

type Detail = Schemas["WebhookDeliveryDetail"]

const words = spoken(
  {
    created: "Created",
    curl: "Copy as curl",
    curlHint: "Headers as signed: a receiver that checks the time refuses them after 5 minutes.",
    curlWhat: "as curl",
    deliveries: "Deliveries",
    event: "Event",
    facts: "What it is",
    finished: "Ended",
    next: "Next attempt",
    purged: "The payload is erased: it is kept for 30 days, or until its student is removed.",
    resend: "Resend",
    resent: "It is sent again",
    resting: "Enable the endpoint to send it again.",
    student: "Student",
    webhooks: "Webhooks"
  },
  {
    created: "Criado",
    curl: "Copiar como curl",
    curlHint: "Cabeçalhos como foram assinados: um receptor que confere a hora recusa depois de 5 minutos.",
    curlWhat: "como curl",
    deliveries: "Envios",
    event: "Evento",
    facts: "O que é",
    finished: "Terminou",
    next: "Próxima tentativa",
    purged: "O conteúdo foi apagado: é guardado por 30 dias, ou até o aluno ser removido.",
    resend: "Reenviar",
    resent: "Será reenviado",
    resting: "Ative o endpoint para poder reenviar.",
    student: "Aluno",
    webhooks: "Webhooks"
  }
)

interface PartProps {
  readonly club: Membership
  readonly delivery: Detail
}

const Facts = (
  { children, club, delivery: { created_at, event_id, finished_at, next_attempt_at, student_id } }: PartProps & {
    readonly children: ComponentChildren
  }
) => {
  const { created, event, facts, finished, next, student } = said(words)
  return (
    <section class="card stack" aria-labelledby="facts">
      <h2 id="facts">{facts}</h2>
      <dl class="facts">
        <dt>{event}</dt>
        <dd>
          <a href={clubPage(club, "webhooks", "events", event_id)}>
            <code>{event_id}</code>
          </a>
        </dd>
        {student_id !== null && (
          <>
            <dt>{student}</dt>
            <dd>
              <a href={clubPage(club, "students", student_id)}>
                <code>{student_id}</code>
              </a>
            </dd>
          </>
        )}
        <dt>{created}</dt>
        <dd>
          <Moment at={created_at} />
        </dd>
        {finished_at !== null && (
          <>
            <dt>{finished}</dt>
            <dd>
              <Moment at={finished_at} />
            </dd>
          </>
        )}
        {next_attempt_at !== null && (
          <>
            <dt>{next}</dt>
            <dd>
              <Moment at={next_attempt_at} />
            </dd>
          </>
        )}
      </dl>
      {children}
    </section>
  )
}

const Content = ({ club, delivery, endpoint }: PartProps & { readonly endpoint: Endpoint | undefined }) => {
  const { attempts, payload, payload_purged } = delivery
  const body = useMemo(() => payload === null ? "" : JSON.stringify(payload), [payload])
  const signed = attempts.toSorted((one, other) => other.number - one.number)
    .find(({ request_headers }) => request_headers !== null)?.request_headers
  const { curl, curlHint, curlWhat, purged } = said(words)
  const canBeSent = !payload_purged && signed !== null && signed !== undefined
  const url = endpoint?.kind === "https" ? endpoint.url : undefined
  const command = useMemo(
    () => url === undefined || !canBeSent ? "" : curlOf({ url, headers: { ...signed }, body }),
    [body, canBeSent, signed, url]
  )
  return (
    <>
      <div class="beside">
        <Facts club={club} delivery={delivery}>
          {command !== "" && (
            <div class="row">
              <CopyButton
                label={curl}
                what={curlWhat}
                text={command}
              />
              <span class="soft small">{curlHint}</span>
            </div>
          )}
        </Facts>
        {canBeSent && <Verify key={delivery.id} body={body} headers={{ ...signed }} />}
      </div>
      <Attempts attempts={attempts} cause={delivery.diagnosis} />
      {payload_purged ? <p class="soft">{purged}</p> : <Payload body={body} payload={payload} />}
    </>
  )
}

/** By itself, since it changes every second. */
const Why = ({ delivery, endpoint }: Pick<PartProps, "delivery"> & { readonly endpoint: Endpoint | undefined }) => (
  <p>{withDates(explanation(delivery, { cause: delivery.diagnosis, endpoint }, sentenceContext()))}</p>
)

const useDelivery = (club: Membership, endpointId: string, deliveryId: string) => {
  const clubId = club.organization_id
  const read = useRead(endpointsKey(club, endpointId, "deliveries", deliveryId), async (signal) => {
    const { data } = await turma.webhookDeliveries.get({ clubId, endpointId, deliveryId }, { signal })
    return data
  })
  const { data } = read
  // Its body may be large, so it is read again only when something has changed.
  useFollowed(
    data === undefined ? undefined : deliveryId,
    { club, endpointId, filter: data === undefined ? {} : { event_id: data.event_id } },
    (deliveries) => {
      const now = deliveries.findLast(({ id }) => id === deliveryId)
      if (now !== undefined && data !== undefined && stateOf(now) !== stateOf(data)) {
        changed(endpointsKey(club, endpointId, "deliveries", deliveryId))
      }
    }
  )
  return read
}

const DeliveryPage = ({ club, params: { delivery: deliveryId = "", endpoint: endpointId = "" } }: ClubViewProps) => {
  const endpoint = useEndpoint(club, endpointId)
  const { data: delivery, error } = useDelivery(club, endpointId, deliveryId)
  useInterval(delivery?.status === "pending" ? 3000 : undefined, endpoint.reload)
  const { deliveries, resend, resent, resting, webhooks } = said(words)
  const above = [
    { label: webhooks, to: clubPage(club, "webhooks") },
    ...(endpoint.data === undefined ? [] : [{
      label: nameOf(endpoint.data),
      to: clubPage(club, "webhooks", endpointId)
    }]),
    { label: deliveries, to: clubPage(club, "webhooks", endpointId, "deliveries") }
  ]
  if (delivery === undefined) {
    return (
      <>
        <PageHead title={deliveries} above={above} />
        {error === undefined ? <Loading /> : <Failure error={error} />}
      </>
    )
  }
  const send = async () => {
    await turma.webhookDeliveries.resend({ clubId: club.organization_id, endpointId, deliveryId })
    endpointsChanged(club)
  }
  const isResting = endpoint.data !== undefined && endpoint.data.status !== "enabled" && !delivery.payload_purged
  const canBeSent = endpoint.data?.status === "enabled" && !delivery.payload_purged
  const isKnown = endpoint.data !== undefined || endpoint.error?.status === 404
  return (
    <>
      <PageHead
        title={delivery.event_type}
        above={above}
        badge={
          <span role="status">
            <DeliveryBadge of={delivery} />
          </span>
        }
        actions={canBeSent && <ActionButton work={send} done={resent}>{resend}</ActionButton>}
      >
        {isKnown && <Why delivery={delivery} endpoint={endpoint.data} />}
        {isResting && <p class="soft">{resting}</p>}
      </PageHead>
      <Content club={club} delivery={delivery} endpoint={endpoint.data} />
    </>
  )
}

/** One delivery: why it is or is not delivered, what was sent, and each attempt. */
export default administered(DeliveryPage)
