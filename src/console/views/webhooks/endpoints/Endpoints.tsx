import { turma } from "../../../../browser/client/Api.ts"
import { useInterval } from "../../../../browser/client/Interval.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { go } from "../../../../browser/client/Location.ts"
import { useRead } from "../../../../browser/client/Reads.ts"
import { PageHead } from "../../../../browser/parts/PageHead.tsx"
import { Empty, Shown } from "../../../../browser/parts/States.tsx"
import type { Membership } from "../../../club/Session.ts"
import { clubPage, type ClubViewProps, useCommands } from "../../../club/View.ts"
import { clubSentence, type Known } from "../model/ClubSentence.ts"
import { administered } from "../parts/Administered.tsx"
import { endpointsKey, useEndpoints } from "../parts/Reads.ts"
import { sentenceContext } from "../parts/sentenceContext.ts"
import { WebhookTabs } from "../parts/WebhookTabs.tsx"
import { EndpointList } from "./EndpointList.tsx"
import { EventSearch } from "./EventSearch.tsx"

const words = spoken(
  {
    create: "New endpoint",
    deliveries: "All deliveries",
    events: "Events",
    inboxes: "Inboxes",
    outage: "Simulate an outage",
    empty: "Let your own systems know of everything at once",
    emptyText:
      "An endpoint is an address of yours. Events are posted to it, signed: a student joins, buys or completes a course. Register one and send it a test. The documentation has receivers to copy, and an inbox shows what arrives.",
    title: "Webhooks"
  },
  {
    create: "Novo endpoint",
    deliveries: "Todos os envios",
    events: "Eventos",
    inboxes: "Caixas de teste",
    outage: "Simular uma queda",
    empty: "Avise seus sistemas de tudo na hora",
    emptyText:
      "Um endpoint é um endereço seu que recebe os eventos, assinados: um aluno entra, compra ou conclui um curso. Registre um e envie um teste. A documentação tem receptores para copiar, e uma caixa de teste mostra o que chega.",
    title: "Webhooks"
  }
)

/** The pause between two reads of the page's data, in milliseconds. */
const readEvery = 10_000

const useAll = (club: Membership) => {
  const clubId = club.organization_id
  const endpoints = useEndpoints(club)
  const more = useRead(endpointsKey(club, "states"), async (signal) => {
    const [diagnoses, series] = await Promise.all([
      turma.webhookEndpoints.diagnoseAll({ clubId }, { signal }),
      turma.webhookEndpoints.seriesOfAll({ clubId, window: "24h" }, { signal })
    ])
    return {
      diagnoses: new Map(diagnoses.data.map(({ diagnosis, endpoint_id }) => [endpoint_id, diagnosis])),
      series: new Map(series.data.map(({ endpoint_id, points }) => [endpoint_id, points]))
    }
  })
  useInterval(readEvery, () => {
    endpoints.reload()
    more.reload()
  })
  const data = endpoints.data === undefined || more.data === undefined ? undefined : {
    series: more.data.series,
    all: endpoints.data.flatMap((endpoint) => {
      const diagnosis = more.data?.diagnoses.get(endpoint.id)
      return diagnosis === undefined ? [] : [{ endpoint, diagnosis }]
    })
  }
  return {
    data,
    error: endpoints.error ?? more.error,
    isLoading: endpoints.isLoading || more.isLoading,
    reload: () => {
      endpoints.reload()
      more.reload()
    }
  }
}

/** By itself, since it changes every second. */
const Sentence = ({ all }: { readonly all: ReadonlyArray<Known> }) => <p>{clubSentence(all, sentenceContext())}</p>

const Endpoints = ({ club }: ClubViewProps) => {
  const page = useAll(club)
  const { create, deliveries, empty, emptyText, events, inboxes, outage, title } = said(words)
  useCommands([
    { label: create, keys: "n", run: () => go(clubPage(club, "webhooks", "new")) },
    { label: deliveries, keys: "d", run: () => go(clubPage(club, "webhooks", "deliveries")) },
    { label: events, keys: "e", run: () => go(clubPage(club, "webhooks", "events")) },
    { label: inboxes, keys: "i", run: () => go(clubPage(club, "webhooks", "inboxes")) },
    { label: outage, keys: "o", run: () => go(clubPage(club, "webhooks", "outage")) }
  ])
  const isEmpty = page.data?.all.length === 0
  return (
    <>
      <PageHead
        title={title}
        actions={isEmpty ? undefined : <a class="button" href={clubPage(club, "webhooks", "new")}>{create}</a>}
      >
        {page.data !== undefined && <Sentence all={page.data.all} />}
      </PageHead>
      <WebhookTabs club={club} />
      <Shown read={page}>
        {({ all, series }) => (
          <>
            {isEmpty
              ? (
                <Empty title={empty} action={<a class="button" href={clubPage(club, "webhooks", "new")}>{create}</a>}>
                  {emptyText}
                </Empty>
              )
              : <EndpointList all={all} club={club} series={series} />}
            <EventSearch club={club} />
          </>
        )}
      </Shown>
    </>
  )
}

/** All endpoints of a club, and whether everything is all right. */
export default administered(Endpoints)
