import { dateTime, number } from "../../../../browser/client/Format.ts"
import { useInterval } from "../../../../browser/client/Interval.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { isWithdrawn } from "../../../../browser/client/Withdrawn.ts"
import { PageHead } from "../../../../browser/parts/PageHead.tsx"
import { ProgressBar } from "../../../../browser/parts/ProgressBar.tsx"
import { Failure, Loading } from "../../../../browser/parts/States.tsx"
import { clubPage, type ClubViewProps } from "../../../club/View.ts"
import { nameOf } from "../model/EndpointHealth.ts"
import { doneOf, hasEnded, isUnderWay, type Recovery, recoverySentence } from "../model/Recovery.ts"
import { administered } from "../parts/Administered.tsx"
import { useEndpoint } from "../parts/Reads.ts"
import { sentenceContext } from "../parts/sentenceContext.ts"
import { Preview } from "./Preview.tsx"
import { RateForm } from "./RateForm.tsx"
import { useRecovery } from "./Reads.ts"
import { RecoveryActions } from "./RecoveryActions.tsx"
import { RecoveryBadge } from "./RecoveryBadge.tsx"

const words = spoken(
  {
    accepted: "Accepted",
    bar: "Deliveries sent again",
    canceled: "Canceled before their attempt",
    created: "Created from",
    done: (done: string, all: string) => `${done} of ${all}`,
    endpoint: "Endpoint",
    failed: "Not accepted",
    finished: "Ended",
    made: "Counted at",
    newest: "newest first",
    oldest: "oldest first",
    order: "Order",
    progress: "Progress",
    rate: "At most",
    rateOf: (rate: string) => `${rate} a second`,
    recoveries: "Recoveries",
    remaining: "Not begun yet",
    skipped: "No longer exist",
    started: "Started",
    title: "Recovery",
    types: "Types",
    typesAll: "all",
    unbounded: "as fast as they are taken",
    waiting: "On their way",
    webhooks: "Webhooks"
  },
  {
    accepted: "Aceitos",
    bar: "Envios refeitos",
    canceled: "Cancelados antes da tentativa",
    created: "Criados desde",
    done: (done: string, all: string) => `${done} de ${all}`,
    endpoint: "Endpoint",
    failed: "Não aceitos",
    finished: "Terminou em",
    made: "Contada em",
    newest: "os mais novos primeiro",
    oldest: "os mais antigos primeiro",
    order: "Ordem",
    progress: "Andamento",
    rate: "No máximo",
    rateOf: (rate: string) => `${rate} por segundo`,
    recoveries: "Recuperações",
    remaining: "Ainda não começados",
    skipped: "Não existem mais",
    started: "Começou em",
    title: "Recuperação",
    types: "Tipos",
    typesAll: "todos",
    unbounded: "tão rápido quanto forem aceitos",
    waiting: "A caminho",
    webhooks: "Webhooks"
  }
)

/**
 * The pauses between two reads of the page's data, in milliseconds: while it counts or sends, and while it waits for
 * somebody.
 */
const readEvery = 1000
const seldom = 5000

const pauseBetween = (recovery: Recovery | undefined, isGone: boolean) => {
  if (isGone || recovery !== undefined && hasEnded(recovery)) return undefined
  return recovery?.status === "counting" || recovery?.status === "running" ? readEvery : seldom
}

const Progress = ({ of }: { readonly of: Recovery }) => {
  const { accepted, bar, canceled, done, failed, progress, remaining, skipped, waiting } = said(words)
  const { preview: { total }, progress: counts } = of
  const figures = [
    [accepted, counts.succeeded],
    [failed, counts.failed],
    [waiting, counts.waiting],
    [remaining, counts.remaining],
    [canceled, counts.canceled],
    [skipped, counts.skipped]
  ] as const
  return (
    <section class="card stack" aria-labelledby="progress">
      <h2 id="progress">{progress}</h2>
      <ProgressBar
        done={doneOf(counts)}
        all={total}
        label={bar}
        text={done(number(doneOf(counts)), number(total))}
      />
      <dl class="figures">
        {figures.filter(([, count], index) => index < 4 || count > 0).map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{number(count)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const Facts = ({ of }: { readonly of: Recovery }) => {
  const { created, finished, made, newest, oldest, order, rate, rateOf, started, types, typesAll, unbounded } =
    said(words)
  return (
    <dl class="facts">
      <dt>{created}</dt>
      <dd>{dateTime(of.since)}</dd>
      <dt>{types}</dt>
      <dd>{of.event_types === null ? typesAll : of.event_types.join(", ")}</dd>
      <dt>{order}</dt>
      <dd>{of.order === "newest" ? newest : oldest}</dd>
      <dt>{rate}</dt>
      <dd>{of.rate === null ? unbounded : rateOf(number(of.rate))}</dd>
      <dt>{made}</dt>
      <dd>{dateTime(of.created_at)}</dd>
      {of.started_at !== null && (
        <>
          <dt>{started}</dt>
          <dd>{dateTime(of.started_at)}</dd>
        </>
      )}
      {of.finished_at !== null && (
        <>
          <dt>{finished}</dt>
          <dd>{dateTime(of.finished_at)}</dd>
        </>
      )}
    </dl>
  )
}

/** By itself, since its words change with each read. */
const Sentence = ({ of }: { readonly of: Recovery }) => <p role="status">{recoverySentence(of, sentenceContext())}</p>

const RecoveryPage = ({ club, params: { endpoint: endpointId = "", recovery: recoveryId = "" } }: ClubViewProps) => {
  const { data, error, reload } = useRecovery(club, endpointId, recoveryId)
  const endpoint = useEndpoint(club, endpointId).data
  useInterval(pauseBetween(data, error !== undefined && isWithdrawn(error)), reload)
  const all = said(words)
  const page = clubPage(club, "webhooks", endpointId)
  const above = [
    { label: all.webhooks, to: clubPage(club, "webhooks") },
    { label: endpoint === undefined ? all.endpoint : nameOf(endpoint), to: page },
    { label: all.recoveries, to: `${page}/recoveries` }
  ]
  return (
    <>
      <PageHead
        title={all.title}
        above={above}
        {...(data === undefined ? {} : {
          badge: <RecoveryBadge of={data} />,
          actions: <RecoveryActions club={club} of={data} />
        })}
      >
        {data !== undefined && <Sentence of={data} />}
      </PageHead>
      {data !== undefined
        ? (
          <>
            {data.started_at !== null && <Progress of={data} />}
            <div class="beside">
              <Preview of={data} />
              <section class="card stack" aria-label={all.title}>
                <Facts of={data} />
                {(isUnderWay(data) || data.status === "previewed" && data.preview.total > 0) && (
                  <RateForm club={club} of={data} />
                )}
              </section>
            </div>
          </>
        )
        : error === undefined
        ? <Loading />
        : <Failure error={error} />}
    </>
  )
}

/** A recovery: what was counted, starting it, and how far it is. */
export default administered(RecoveryPage)
