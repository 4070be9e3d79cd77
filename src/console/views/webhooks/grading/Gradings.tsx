import { turma } from "../../../../browser/client/Api.ts"
import { dateTime } from "../../../../browser/client/Format.ts"
import { useInterval } from "../../../../browser/client/Interval.ts"
import { language, said, spoken } from "../../../../browser/client/Language.ts"
import { useList } from "../../../../browser/client/Lists.ts"
import { PageHead } from "../../../../browser/parts/PageHead.tsx"
import { Empty } from "../../../../browser/parts/States.tsx"
import { type Column, Table } from "../../../../browser/parts/Table.tsx"
import { clubPage, type ClubViewProps } from "../../../club/View.ts"
import { nameOf } from "../model/EndpointHealth.ts"
import { type Grading, gradingSentence } from "../model/GradingWords.ts"
import { administered } from "../parts/Administered.tsx"
import { EndpointTabs } from "../parts/EndpointTabs.tsx"
import { HealthBadge } from "../parts/HealthBadge.tsx"
import { endpointsKey, useEndpoint } from "../parts/Reads.ts"
import { Begin } from "./Begin.tsx"
import { GradeBadge } from "./GradeBadge.tsx"

const words = spoken(
  {
    asked: "Requested",
    empty: "It was not graded yet",
    emptyText:
      "Probes find faults of a receiver before an event is lost: signatures it does not verify, repeats it does not recognize, late answers. Enable the endpoint, then grade it.",
    grade: "Grade",
    gradings: "Gradings",
    outcome: "Result",
    rest: "It was not graded in the last 30 days.",
    webhooks: "Webhooks"
  },
  {
    asked: "Pedida em",
    empty: "Ainda não foi avaliado",
    emptyText:
      "Os testes mostram as falhas de um receptor antes que um evento se perca: assinaturas que ele não confere, repetições que não reconhece, respostas fora do prazo. Ative o endpoint e depois avalie.",
    grade: "Nota",
    gradings: "Avaliações",
    outcome: "Resultado",
    rest: "Não foi avaliado nos últimos 30 dias.",
    webhooks: "Webhooks"
  }
)

/** The pause between two reads of the page's data during a grading, in milliseconds. */
const readEvery = 3000

const columns = (): ReadonlyArray<Column<Grading>> => [
  { key: "asked", head: said(words).asked, cell: ({ created_at }) => dateTime(created_at) },
  {
    key: "grade",
    head: said(words).grade,
    onCard: "state",
    width: "7rem",
    cell: (grading) => <GradeBadge of={grading} />
  },
  {
    key: "outcome",
    head: said(words).outcome,
    onCard: "detail",
    width: "55%",
    cell: (grading) => gradingSentence(grading, language.value)
  }
]

const Gradings = ({ club, params: { endpoint: endpointId = "" } }: ClubViewProps) => {
  const { data: endpoint } = useEndpoint(club, endpointId)
  const list = useList(
    `${endpointsKey(club, endpointId)}/gradings?`,
    ({ cursor, limit, signal }) =>
      turma.webhookGradings.list({ clubId: club.organization_id, endpointId, cursor, limit }, { signal })
  )
  const newest = list.item(0)
  useInterval(newest?.status === "running" ? readEvery : undefined, list.reload)
  const { empty, emptyText, gradings, rest, webhooks } = said(words)
  const mayBegin = endpoint !== undefined && endpoint.status === "enabled" && endpoint.kind !== "listener"
  return (
    <>
      <PageHead
        title={endpoint === undefined ? gradings : nameOf(endpoint)}
        above={[{ label: webhooks, to: clubPage(club, "webhooks") }]}
        badge={endpoint === undefined ? undefined : <HealthBadge of={endpoint} />}
        actions={mayBegin ? <Begin club={club} endpoint={endpoint} /> : undefined}
      >
        {!list.isLoading && list.error === undefined && (
          <p>{newest === undefined ? rest : gradingSentence(newest, language.value)}</p>
        )}
      </PageHead>
      <EndpointTabs club={club} endpointId={endpointId} />
      <Table
        label={gradings}
        columns={columns()}
        list={list}
        keyOf={({ id }) => id}
        to={({ id }) => clubPage(club, "webhooks", endpointId, "gradings", id)}
        empty={<Empty title={empty}>{emptyText}</Empty>}
      />
    </>
  )
}

/** How the receiver of an endpoint was graded, and grading it. */
export default administered(Gradings)
