import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef } from "preact/hooks"
import { turma } from "../../../../browser/client/Api.ts"
import { useInterval } from "../../../../browser/client/Interval.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { useList } from "../../../../browser/client/Lists.ts"
import { query, setQuery } from "../../../../browser/client/Location.ts"
import { useRead } from "../../../../browser/client/Reads.ts"
import { currentMillis, timestampOf } from "../../../../browser/client/Time.ts"
import { Badge } from "../../../../browser/parts/Badge.tsx"
import { Moment } from "../../../../browser/parts/Moment.tsx"
import { Empty } from "../../../../browser/parts/States.tsx"
import { type Column, Table } from "../../../../browser/parts/Table.tsx"
import type { Membership } from "../../../club/Session.ts"
import { clubPage } from "../../../club/View.ts"
import { periodNamed } from "../model/SalesSentence.ts"
import { type Platform, platformName, salesCameIn, salesChanged, usePlatforms } from "../Reads.ts"
import { type InboundEvent, type Outcome, outcomeTones, outcomeWords, salesWords } from "../words.ts"

const words = spoken(
  {
    any: "All",
    event: "Event",
    fresh: "There are new events: show them",
    none: "Nothing matches",
    noneText: "Remove a filter, or choose a longer period.",
    nothing: "Nothing has come in yet",
    nothingText: "Events of your platforms appear here by themselves, with their outcome.",
    outcome: "Result",
    period: "Period",
    periods: { "24h": "Last 24 hours", "30d": "Last 30 days", "7d": "Last 7 days" },
    platform: "Platform",
    product: "Product",
    received: "Received"
  },
  {
    any: "Todos",
    event: "Evento",
    fresh: "Há eventos novos: mostrar",
    none: "Nada encontrado",
    noneText: "Remova um filtro ou escolha um período maior.",
    nothing: "Nada chegou ainda",
    nothingText: "O que suas plataformas enviam aparece aqui sozinho, com o resultado.",
    outcome: "Resultado",
    period: "Período",
    periods: { "24h": "Últimas 24 horas", "30d": "Últimos 30 dias", "7d": "Últimos 7 dias" },
    platform: "Plataforma",
    product: "Produto",
    received: "Recebido em"
  }
)

const outcomes = ["processed", "unmapped", "failed", "pending", "ignored", "duplicate"] as const

const columns = (platforms: ReadonlyArray<Platform> | undefined): ReadonlyArray<Column<InboundEvent>> => [
  { key: "event", head: said(words).event, cell: ({ event_name }) => <bdi>{event_name}</bdi> },
  {
    key: "outcome",
    head: said(words).outcome,
    onCard: "state",
    width: "12rem",
    cell: ({ outcome }) => (
      <Badge tone={outcomeTones[outcome ?? "pending"]}>{said(outcomeWords)[outcome ?? "pending"]}</Badge>
    )
  },
  {
    key: "product",
    head: said(words).product,
    onCard: "detail",
    cell: ({ product }) => product === null ? "–" : <bdi>{product.name ?? product.external_id}</bdi>
  },
  {
    key: "platform",
    head: said(words).platform,
    width: "8rem",
    onCard: "detail",
    cell: ({ platform }) => platformName(platforms, platform)
  },
  {
    key: "received",
    head: said(words).received,
    width: "10rem",
    onCard: "detail",
    cell: ({ received_at }) => <Moment at={received_at} />
  }
]

const Filter = ({ choices, label, name }: {
  readonly name: string
  readonly label: string
  readonly choices: ReadonlyArray<readonly [value: string, label: string]>
}) => {
  const id = useId()
  return (
    <div class="field">
      <label class="small" for={id}>{label}</label>
      <select
        id={id}
        value={query.value.get(name) ?? ""}
        onChange={(event) => setQuery({ [name]: event.currentTarget.value })}
      >
        <option value="">{said(words).any}</option>
        {choices.map(([value, label]) => <option key={value} value={value}>{label}</option>)}
      </select>
    </div>
  )
}

const Filters = ({ platforms }: { readonly platforms: ReadonlyArray<Platform> }) => (
  <div class="filters">
    <Filter
      name="outcome"
      label={said(words).outcome}
      choices={outcomes.map((outcome) => [outcome, said(outcomeWords)[outcome]])}
    />
    <Filter name="platform" label={said(words).platform} choices={platforms.map(({ key, name }) => [key, name])} />
    <Filter name="time" label={said(words).period} choices={Object.entries(said(words).periods)} />
  </div>
)

const filtersNow = (platforms: ReadonlyArray<Platform>) => {
  const wanted = query.value.get("outcome")
  const period = periodNamed(query.value.get("time") ?? "")
  return {
    outcome: outcomes.find((outcome: Outcome) => outcome === wanted),
    platform: platforms.find(({ key }) => key === query.value.get("platform"))?.key,
    since: period === undefined ? undefined : timestampOf(currentMillis() - period)
  }
}

/** In milliseconds: so often it is asked whether something new came in. */
const pause = 5000

/** The newest event there is; undefined while that is not known. */
const useNewest = ({ organization_id: clubId }: Membership) => {
  const { data, reload } = useRead(`${clubId}/sales/newest`, async (signal) => {
    const { data } = await turma.inboundEvents.listAll({ clubId, limit: 1 }, { signal })
    return data[0] ?? null
  })
  useInterval(pause, reload)
  return data
}

/** Reads the part above the table anew after a new event, even if the table hides it. */
const useTold = (club: Membership, newest: InboundEvent | null | undefined) => {
  const state = newest === undefined ? undefined : [newest?.id, newest?.outcome].join()
  const told = useRef(state)
  useEffect(() => {
    if (told.current !== undefined && state !== told.current) salesCameIn(club)
    told.current = state
  }, [state])
}

/** The events of all platforms, newest first, filtered by the address. */
export const EventTable = ({ club, unconnected }: {
  readonly club: Membership
  /** Stands in place of an empty table if no platform is connected. */
  readonly unconnected: ComponentChildren
}) => {
  const clubId = club.organization_id
  const { data: platforms = [] } = usePlatforms(club)
  const isFiltered = ["outcome", "platform", "time"].some((name) => query.value.has(name))
  const filters = filtersNow(platforms)
  const list = useList(
    `${clubId}/sales/events?${JSON.stringify({ ...filters, since: query.value.get("time") })}`,
    ({ cursor, limit, signal }) => turma.inboundEvents.listAll({ clubId, ...filters, cursor, limit }, { signal })
  )
  const newest = useNewest(club)
  useTold(club, newest)
  const shown = list.item(0)
  const isFresh = !isFiltered && newest !== undefined && newest !== null && !list.isLoading &&
    (newest.id !== shown?.id || newest.outcome !== shown.outcome)
  const show = () => {
    salesChanged(club)
  }
  const empty = isFiltered
    ? <Empty title={said(words).none}>{said(words).noneText}</Empty>
    : unconnected ?? <Empty title={said(words).nothing}>{said(words).nothingText}</Empty>
  return (
    <section class="stack" aria-labelledby="events">
      <h2 id="events">{said(salesWords).events}</h2>
      <Filters platforms={platforms} />
      <div aria-live="polite">
        {isFresh && <button type="button" class="quiet fresh" onClick={show}>{said(words).fresh}</button>}
      </div>
      <Table
        label={said(salesWords).events}
        columns={columns(platforms)}
        list={list}
        keyOf={({ id }) => id}
        to={({ id }) => clubPage(club, "sales", "events", id)}
        empty={empty}
      />
    </section>
  )
}
