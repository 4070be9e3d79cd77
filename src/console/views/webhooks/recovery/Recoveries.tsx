import { dateTime, number } from "../../../../browser/client/Format.ts"
import { useInterval } from "../../../../browser/client/Interval.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { PageHead } from "../../../../browser/parts/PageHead.tsx"
import { Empty } from "../../../../browser/parts/States.tsx"
import { type Column, Table } from "../../../../browser/parts/Table.tsx"
import { clubPage, type ClubViewProps } from "../../../club/View.ts"
import { nameOf } from "../model/EndpointHealth.ts"
import { isUnderWay, type Recovery, recoverySentence } from "../model/Recovery.ts"
import { administered } from "../parts/Administered.tsx"
import { EndpointTabs } from "../parts/EndpointTabs.tsx"
import { HealthBadge } from "../parts/HealthBadge.tsx"
import { useEndpoint } from "../parts/Reads.ts"
import { sentenceContext } from "../parts/sentenceContext.ts"
import { useRecoveries } from "./Reads.ts"
import { RecoveryBadge } from "./RecoveryBadge.tsx"
import { RecoveryForm } from "./RecoveryForm.tsx"

const words = spoken(
  {
    accepted: "Accepted",
    earlier: "Recoveries until now",
    empty: "Nothing was recovered yet",
    emptyText: "Recoveries counted above appear here, and are kept for 90 days with their results.",
    failed: "Not accepted",
    look: "Show it",
    made: "Counted at",
    off: "The endpoint is not enabled, so nothing can be recovered. Enable it first.",
    recoveries: "Recoveries",
    rest: "Nothing is being recovered.",
    status: "Status",
    total: "In all",
    webhooks: "Webhooks"
  },
  {
    accepted: "Aceitos",
    earlier: "Recuperações até agora",
    empty: "Nada foi recuperado ainda",
    emptyText: "As recuperações contadas acima aparecem aqui e ficam guardadas por 90 dias, com o resultado.",
    failed: "Não aceitos",
    look: "Ver",
    made: "Contada em",
    off: "O endpoint não está ativo, então não dá para recuperar nada. Ative-o primeiro.",
    recoveries: "Recuperações",
    rest: "Nada está sendo recuperado.",
    status: "Situação",
    total: "Ao todo",
    webhooks: "Webhooks"
  }
)

/** The pause between two reads of the page's data during a recovery, in milliseconds. */
const readEvery = 3000

const columns = (): ReadonlyArray<Column<Recovery>> => {
  const { accepted, failed, made, status, total } = said(words)
  return [
    { key: "made", head: made, cell: ({ created_at }) => dateTime(created_at) },
    {
      key: "status",
      head: status,
      onCard: "state",
      width: "9rem",
      cell: (recovery) => <RecoveryBadge of={recovery} />
    },
    {
      key: "total",
      head: total,
      isNumber: true,
      onCard: "headed",
      width: "6rem",
      cell: ({ preview }) => number(preview.total)
    },
    {
      key: "accepted",
      head: accepted,
      isNumber: true,
      onCard: "headed",
      width: "7rem",
      cell: ({ progress }) => number(progress.succeeded)
    },
    {
      key: "failed",
      head: failed,
      isNumber: true,
      onCard: "headed",
      width: "8rem",
      cell: ({ progress }) => number(progress.failed + progress.canceled)
    }
  ]
}

const Sentence = ({ newest }: { readonly newest: Recovery | undefined }) => (
  <p>{newest !== undefined && isUnderWay(newest) ? recoverySentence(newest, sentenceContext()) : said(words).rest}</p>
)

const Recoveries = ({ club, params: { endpoint: endpointId = "" } }: ClubViewProps) => {
  const { data: endpoint } = useEndpoint(club, endpointId)
  const list = useRecoveries(club, endpointId)
  const { earlier, empty, emptyText, look, off, recoveries, webhooks } = said(words)
  const newest = list.item(0)
  const isBusy = newest !== undefined && isUnderWay(newest)
  useInterval(isBusy ? readEvery : undefined, list.reload)
  const to = ({ id }: Recovery) => clubPage(club, "webhooks", endpointId, "recoveries", id)
  return (
    <>
      <PageHead
        title={endpoint === undefined ? recoveries : nameOf(endpoint)}
        above={[{ label: webhooks, to: clubPage(club, "webhooks") }]}
        badge={endpoint === undefined ? undefined : <HealthBadge of={endpoint} />}
      >
        {!list.isLoading && list.error === undefined && <Sentence newest={newest} />}
      </PageHead>
      <EndpointTabs club={club} endpointId={endpointId} />
      {isBusy
        ? (
          <p>
            <a class="button" href={to(newest)}>{look}</a>
          </p>
        )
        : endpoint !== undefined && (
          endpoint.status === "enabled"
            ? <RecoveryForm club={club} endpointId={endpointId} />
            : <p class="notice">{off}</p>
        )}
      <section class="stack" aria-labelledby="earlier">
        <h2 id="earlier">{earlier}</h2>
        <Table
          label={recoveries}
          columns={columns()}
          list={list}
          keyOf={({ id }) => id}
          to={to}
          empty={<Empty title={empty}>{emptyText}</Empty>}
        />
      </section>
    </>
  )
}

/** The undelivered deliveries of an endpoint, to be sent again, and its earlier recoveries. */
export default administered(Recoveries)
