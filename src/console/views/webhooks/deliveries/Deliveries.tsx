import { counted, number } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { query } from "../../../../browser/client/Location.ts"
import { Badge } from "../../../../browser/parts/Badge.tsx"
import { Moment } from "../../../../browser/parts/Moment.tsx"
import { PageHead } from "../../../../browser/parts/PageHead.tsx"
import { Empty } from "../../../../browser/parts/States.tsx"
import { type Column, Table } from "../../../../browser/parts/Table.tsx"
import { DeliveryBadge } from "../../../club/DeliveryBadge.tsx"
import { clubPage, type ClubViewProps } from "../../../club/View.ts"
import { nameOf } from "../model/EndpointHealth.ts"
import type { Delivery } from "../model/Explanation.ts"
import { administered } from "../parts/Administered.tsx"
import { answered } from "../parts/Answered.tsx"
import { EndpointTabs } from "../parts/EndpointTabs.tsx"
import { HealthBadge } from "../parts/HealthBadge.tsx"
import { useEndpoint, useEndpoints } from "../parts/Reads.ts"
import { WebhookTabs } from "../parts/WebhookTabs.tsx"
import { filterOf, isNarrow } from "./Filter.ts"
import { Filters } from "./Filters.tsx"
import type { Wanted } from "./useFollowed.ts"
import { useLive } from "./useLive.ts"

const words = spoken(
  {
    answer: "Answer",
    asking: "Read every 5 seconds",
    attempts: "Attempts",
    created: "Created",
    deleted: "Deleted endpoint",
    deliveries: "Deliveries",
    empty: "Nothing was sent yet",
    emptyText: "Every event of the chosen types makes a delivery, shown here at once. Send a test to see one.",
    endpoint: "Endpoint",
    following: "Live",
    lead: "Newest first, of the last 90 days. It updates by itself.",
    none: "Nothing matches these filters",
    noneText: "Deliveries are kept for 90 days. Clear a filter to see more.",
    resting: "Not live",
    status: "Status",
    title: "All deliveries",
    type: "Type",
    unseen: (count: number) => `${number(count)} new`,
    unseenMore: (count: number) => `${number(count)}+ new`,
    webhooks: "Webhooks"
  },
  {
    answer: "Resposta",
    asking: "Atualiza a cada 5 segundos",
    attempts: "Tentativas",
    created: "Criado",
    deleted: "Endpoint excluído",
    deliveries: "Envios",
    empty: "Nada foi enviado ainda",
    emptyText: "Cada evento dos tipos escolhidos gera um envio, que aparece aqui na hora. Envie um teste para ver um.",
    endpoint: "Endpoint",
    following: "Ao vivo",
    lead: "Os mais novos primeiro, dos últimos 90 dias. A lista se atualiza sozinha.",
    none: "Nada encontrado com estes filtros",
    noneText: "Os envios são guardados por 90 dias. Limpe um filtro para ver mais.",
    resting: "Parado",
    status: "Situação",
    title: "Todos os envios",
    type: "Tipo",
    unseen: (count: number) => counted(count, "1 novo", `${number(count)} novos`),
    unseenMore: (count: number) => counted(count, "1 novo ou mais", `${number(count)} novos ou mais`),
    webhooks: "Webhooks"
  }
)

const columns = (): ReadonlyArray<Column<Delivery>> => {
  const { answer, attempts, created, status, type } = said(words)
  return [
    {
      key: "type",
      head: type,
      cell: ({ event_type }) => event_type
    },
    {
      key: "status",
      head: status,
      onCard: "state",
      width: "9.5rem",
      cell: (delivery) => <DeliveryBadge of={delivery} />
    },
    {
      key: "answer",
      head: answer,
      onCard: "detail",
      cell: ({ last_error, last_status_code }) => answered(last_error, last_status_code)
    },
    {
      key: "attempts",
      head: attempts,
      isNumber: true,
      width: "6rem",
      cell: ({ attempts_count }) => number(attempts_count)
    },
    {
      key: "created",
      head: created,
      onCard: "detail",
      width: "9.5rem",
      cell: ({ created_at }) => <Moment at={created_at} />
    }
  ]
}

/** Mounted anew for every list. */
const LiveTable = ({ listKey, wanted }: { readonly listKey: string; readonly wanted: Wanted }) => {
  const { club, endpointId, filter } = wanted
  const { following, isMoreUnseen, list, showUnseen, unseen } = useLive(listKey, wanted)
  const endpoints = useEndpoints(club)
  const all = said(words)
  const names = new Map((endpoints.data ?? []).map((one) => [one.id, nameOf(one)]))
  const endpointColumn: Column<Delivery> = {
    key: "endpoint",
    head: all.endpoint,
    onCard: "detail",
    cell: ({ endpoint_id }) => (
      <span dir="auto">{names.get(endpoint_id) ?? (endpoints.data === undefined ? "" : all.deleted)}</span>
    )
  }
  const shown = endpointId === undefined ? columns().toSpliced(2, 0, endpointColumn) : columns()
  const title = isNarrow(filter) ? all.none : all.empty
  return (
    <>
      <div class="live">
        <span role="status">
          <Badge tone={following === "following" ? "good" : "quiet"}>{all[following]}</Badge>
        </span>
        {unseen > 0 && (
          <button type="button" class="quiet" onClick={showUnseen}>
            {isMoreUnseen ? all.unseenMore(unseen) : all.unseen(unseen)}
          </button>
        )}
      </div>
      <Table
        label={all.deliveries}
        columns={shown}
        list={list}
        keyOf={({ id }) => id}
        to={({ endpoint_id, event_id, id }) =>
          endpoints.data !== undefined && endpointId === undefined && !names.has(endpoint_id)
            ? clubPage(club, "webhooks", "events", event_id)
            : clubPage(club, "webhooks", endpoint_id, "deliveries", id)}
        empty={<Empty title={title}>{isNarrow(filter) ? all.noneText : all.emptyText}</Empty>}
      />
    </>
  )
}

const OfEndpoint = ({ club, endpointId }: Pick<ClubViewProps, "club"> & { readonly endpointId: string }) => {
  const { data } = useEndpoint(club, endpointId)
  const { deliveries, webhooks } = said(words)
  return (
    <>
      <PageHead
        title={data === undefined ? deliveries : nameOf(data)}
        above={[{ label: webhooks, to: clubPage(club, "webhooks") }]}
        badge={data === undefined ? undefined : <HealthBadge of={data} />}
      >
        <p>{said(words).lead}</p>
      </PageHead>
      <EndpointTabs club={club} endpointId={endpointId} />
    </>
  )
}

const Deliveries = ({ club, params: { endpoint: endpointId } }: ClubViewProps) => {
  const filter = filterOf(query.value)
  const key = `${club.organization_id}/deliveries/${endpointId ?? "all"}?${JSON.stringify(filter)}`
  const { lead, title } = said(words)
  return (
    <>
      {endpointId === undefined
        ? (
          <>
            <PageHead title={title}>
              <p>{lead}</p>
            </PageHead>
            <WebhookTabs club={club} />
          </>
        )
        : <OfEndpoint club={club} endpointId={endpointId} />}
      <Filters club={club} ofAll={endpointId === undefined} />
      <LiveTable key={key} listKey={key} wanted={{ club, endpointId, filter }} />
    </>
  )
}

/** Deliveries as they happen: to one endpoint, or to all. */
export default administered(Deliveries)
