import { useMemo } from "preact/hooks"
import { turma } from "../../../../browser/client/Api.ts"
import { number } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { useList } from "../../../../browser/client/Lists.ts"
import { place, query, setQuery } from "../../../../browser/client/Location.ts"
import { currentMillis } from "../../../../browser/client/Time.ts"
import { Moment } from "../../../../browser/parts/Moment.tsx"
import { PageHead } from "../../../../browser/parts/PageHead.tsx"
import { Empty } from "../../../../browser/parts/States.tsx"
import { type Column, Table } from "../../../../browser/parts/Table.tsx"
import type { Schemas } from "../../../../sdk/index.ts"
import { DeliveryBadge } from "../../../club/DeliveryBadge.tsx"
import type { Membership } from "../../../club/Session.ts"
import { clubPage, type ClubViewProps } from "../../../club/View.ts"
import { nameOf } from "../model/EndpointHealth.ts"
import { administered } from "../parts/Administered.tsx"
import { useCatalogue, useEndpoints } from "../parts/Reads.ts"
import { Select } from "../parts/Select.tsx"
import { StudentField } from "../parts/StudentField.tsx"
import { WebhookTabs } from "../parts/WebhookTabs.tsx"
import { type Back, backIn, backs, feedFilterIn, sinceOf } from "./Back.ts"

const words = spoken(
  {
    back: "Period",
    backs: { "1": "Last hour", "24": "24 hours", "168": "7 days", "720": "30 days", all: "90 days" },
    deleted: "Deleted endpoint",
    deliveries: "Deliveries",
    empty: "Nothing happened in this period",
    emptyText:
      "Every event of the club appears here in order, even if it was sent to no endpoint. Tests do not. Choose a longer period, or clear a filter.",
    filters: "Filters",
    lead:
      "Every event of the club, oldest first, even if it was sent to no endpoint. Events are kept for 90 days, their payloads for 30 days.",
    more: (count: string) => `+${count}`,
    number: "No.",
    occurred: "Happened",
    title: "Events",
    type: "Type of event",
    unwanted: "Sent to no endpoint"
  },
  {
    back: "Período",
    backs: { "1": "Última hora", "24": "24 horas", "168": "7 dias", "720": "30 dias", all: "90 dias" },
    deleted: "Endpoint excluído",
    deliveries: "Envios",
    empty: "Nada aconteceu nesse período",
    emptyText:
      "Todos os eventos do clube aparecem aqui em ordem, mesmo os que não foram a nenhum endpoint. Testes, não. Escolha um período maior ou limpe um filtro.",
    filters: "Filtros",
    lead:
      "Todos os eventos do clube, do mais antigo ao mais novo, mesmo os que não foram a nenhum endpoint. Os eventos ficam guardados por 90 dias, e o conteúdo, por 30.",
    more: (count: string) => `+${count}`,
    number: "Nº",
    occurred: "Aconteceu",
    title: "Eventos",
    type: "Tipo de evento",
    unwanted: "Sem destino"
  }
)

type FeedEvent = Schemas["FeedEvent"]

/** Number of deliveries of an event that have room in its row. */
const shownAtOnce = 2

type Naming = (endpointId: string) => string

const Became = ({ nameOf: named, of: { deliveries } }: { readonly of: FeedEvent; readonly nameOf: Naming }) => {
  if (deliveries.length === 0) return <span class="soft small">{said(words).unwanted}</span>
  const rest = deliveries.length - shownAtOnce
  return (
    <>
      {deliveries.slice(0, shownAtOnce).map((delivery) => (
        <DeliveryBadge key={delivery.id} of={delivery} to={named(delivery.endpoint_id)} />
      ))}
      {rest > 0 && <span class="soft small">{said(words).more(number(rest))}</span>}
    </>
  )
}

const columnsFor = (named: Naming): ReadonlyArray<Column<FeedEvent>> => {
  const { deliveries, number: head, occurred, type } = said(words)
  return [
    {
      key: "type",
      head: type,
      cell: (event) => event.type
    },
    {
      key: "deliveries",
      head: deliveries,
      onCard: "detail",
      width: "50%",
      cell: (event) => <Became of={event} nameOf={named} />
    },
    {
      key: "occurred",
      head: occurred,
      onCard: "detail",
      width: "9rem",
      cell: ({ occurred_at }) => <Moment at={occurred_at} />
    },
    {
      key: "number",
      head,
      onCard: "headed",
      isNumber: true,
      width: "5rem",
      cell: (event) => number(event.number)
    }
  ]
}

const Events = ({ back, club }: { readonly club: Membership; readonly back: Back }) => {
  const clubId = club.organization_id
  const filter = feedFilterIn(query.value)
  // The start stays fixed: a list that moves has no place to come back to.
  const since = useMemo(() => sinceOf(back, currentMillis()), [back])
  const from = since === undefined ? {} : { since }
  const list = useList(
    `${clubId}/events?${JSON.stringify({ ...filter, ...from })}`,
    ({ cursor, limit, signal }) => turma.eventFeed.list({ clubId, cursor, limit, ...filter, ...from }, { signal })
  )
  const endpoints = useEndpoints(club)
  const { deleted, empty, emptyText, title } = said(words)
  const names = new Map((endpoints.data ?? []).map((one) => [one.id, nameOf(one)]))
  const named = (id: string) => names.get(id) ?? (endpoints.data === undefined ? "…" : deleted)
  return (
    <Table
      label={title}
      columns={columnsFor(named)}
      list={list}
      keyOf={({ id }) => id}
      to={({ id }) => clubPage(club, "webhooks", "events", id)}
      empty={<Empty title={empty}>{emptyText}</Empty>}
    />
  )
}

const Feed = ({ club }: ClubViewProps) => {
  const catalogue = useCatalogue(club)
  const back = backIn(query.value)
  const { back: backLabel, backs: names, filters, lead, title, type } = said(words)
  return (
    <>
      <PageHead title={title}>
        <p>{lead}</p>
      </PageHead>
      <WebhookTabs club={club} />
      <div class="filters" role="search" aria-label={filters}>
        <Select
          name="type"
          label={type}
          choices={(catalogue.data ?? []).flatMap((one) =>
            one.type === "webhook.test" ? [] : [[one.type, one.type] as const]
          )}
        />
        <StudentField club={club} />
        <div class="chosen" role="group" aria-label={backLabel}>
          {backs.map((one) => (
            <button
              key={one}
              type="button"
              class="quiet"
              aria-pressed={one === back}
              onClick={() => setQuery({ back: one === "24" ? undefined : one })}
            >
              {names[one]}
            </button>
          ))}
        </div>
      </div>
      <Events key={place.value.search} club={club} back={back} />
    </>
  )
}

/** Every event of a club in its order, with its results. */
export default administered(Feed)
