import { useRef } from "preact/hooks"
import { dateTime, number, withDates } from "../../../../browser/client/Format.ts"
import { useInterval } from "../../../../browser/client/Interval.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { go } from "../../../../browser/client/Location.ts"
import { currentMillis, timestampOf } from "../../../../browser/client/Time.ts"
import { isWithdrawn } from "../../../../browser/client/Withdrawn.ts"
import { clock, Countdown, Moment } from "../../../../browser/parts/Moment.tsx"
import { PageHead } from "../../../../browser/parts/PageHead.tsx"
import { Failure, Shown } from "../../../../browser/parts/States.tsx"
import type { Membership } from "../../../club/Session.ts"
import { clubPage, type ClubViewProps, useCommands } from "../../../club/View.ts"
import { type Diagnosis, type Endpoint, healthOf, holdPhaseOf, nameOf } from "../model/EndpointHealth.ts"
import { endpointSentence } from "../model/EndpointSentence.ts"
import { administered } from "../parts/Administered.tsx"
import { EndpointTabs } from "../parts/EndpointTabs.tsx"
import { HealthBadge } from "../parts/HealthBadge.tsx"
import { useDiagnosis, useEndpoint } from "../parts/Reads.ts"
import { sentenceContext } from "../parts/sentenceContext.ts"
import { TestButton } from "../settings/TestButton.tsx"
import { Actions } from "./Actions.tsx"
import { AdviceCard } from "./AdviceCard.tsx"
import { Drain } from "./Drain.tsx"
import { FilterCard } from "./FilterCard.tsx"
import { History } from "./History.tsx"
import { OwnHeaders } from "./OwnHeaders.tsx"
import { Settings } from "./Settings.tsx"
import { Signatures } from "./Signatures.tsx"
import { Traffic } from "./Traffic.tsx"

const words = spoken(
  {
    asOf: (at: string) => `As of ${at}: it could not be loaded since.`,
    deliveries: "Deliveries",
    failures: "Failures in a row",
    heldText: "Fixed it? Probe now: a test goes out at once. If it is accepted, the hold ends.",
    heldUntil: "Next attempt in",
    lastFailure: "Last failure",
    listening: "Deleted unless it polls",
    lastSuccess: "Last accepted",
    never: "never",
    next: "Next attempt",
    oldest: "Oldest waiting",
    probe: "Probe now",
    recover: "Recover…",
    registered: (at: string) => `Registered ${at}`,
    state: "State",
    unread: "Earlier data: it could not be loaded again.",
    waiting: "Waiting",
    webhooks: "Webhooks"
  },
  {
    asOf: (at: string) => `Dados de ${at}: depois disso não foi possível carregar.`,
    deliveries: "Envios",
    failures: "Falhas seguidas",
    heldText: "Corrigiu? Teste agora: um teste sai na hora. Se for aceito, a retenção acaba.",
    heldUntil: "Próxima tentativa em",
    lastFailure: "Última falha",
    listening: "Excluído se não consultar",
    lastSuccess: "Última aceita",
    never: "nunca",
    next: "Próxima tentativa",
    oldest: "O mais antigo",
    probe: "Testar agora",
    recover: "Recuperar…",
    registered: (at: string) => `Registrado em ${at}`,
    state: "Situação",
    unread: "Dados anteriores: não foi possível carregar de novo.",
    waiting: "Esperando",
    webhooks: "Webhooks"
  }
)

/** The pause between two reads of the page's data, in milliseconds. */
const readEvery = 3000

const At = ({ moment }: { readonly moment: string | null }) =>
  moment === null ? <span class="soft">{said(words).never}</span> : <Moment at={moment} />

const Facts = ({ diagnosis, endpoint }: { readonly diagnosis: Diagnosis; readonly endpoint: Endpoint }) => {
  const { failures, lastFailure, lastSuccess, listening, next, oldest, waiting } = said(words)
  return (
    <dl class="facts">
      <dt>{waiting}</dt>
      <dd class="number">{number(diagnosis.queue_depth)}{diagnosis.queue_depth_capped ? "+" : ""}</dd>
      {diagnosis.oldest_pending_at !== null && (
        <>
          <dt>{oldest}</dt>
          <dd>
            <Moment at={diagnosis.oldest_pending_at} />
          </dd>
        </>
      )}
      {diagnosis.next_attempt_at !== null && (
        <>
          <dt>{next}</dt>
          <dd>
            <Moment at={diagnosis.next_attempt_at} />
          </dd>
        </>
      )}
      <dt>{failures}</dt>
      <dd class="number">{number(diagnosis.consecutive_failures)}</dd>
      <dt>{lastSuccess}</dt>
      <dd>
        <At moment={endpoint.last_success_at} />
      </dd>
      <dt>{lastFailure}</dt>
      <dd>
        <At moment={endpoint.last_failure_at} />
      </dd>
      {endpoint.listening_until !== null && (
        <>
          <dt>{listening}</dt>
          <dd>
            <Moment at={endpoint.listening_until} />
          </dd>
        </>
      )}
    </dl>
  )
}

interface StateProps {
  readonly club: Membership
  readonly diagnosis: Diagnosis
  readonly endpoint: Endpoint
}

const State = ({ club, diagnosis, endpoint }: StateProps) => {
  const { heldText, heldUntil, probe, recover, state } = said(words)
  const isHeld = healthOf({ ...endpoint, ...diagnosis }) === "held"
  const { next_attempt_at } = diagnosis
  return (
    <section class="card stack" aria-labelledby="state">
      <div class="row headed">
        <h2 id="state">{state}</h2>
        {endpoint.status === "enabled" && (
          <a class="button quiet" href={clubPage(club, "webhooks", endpoint.id, "recoveries")}>{recover}</a>
        )}
      </div>
      {isHeld && (
        <div class="notice waiting">
          {next_attempt_at !== null && holdPhaseOf(next_attempt_at, clock.value) === "held" && (
            <strong>
              {heldUntil} <Countdown until={next_attempt_at} />
            </strong>
          )}
          {heldText}
        </div>
      )}
      <Drain club={club} endpoint={endpoint} />
      <Facts diagnosis={diagnosis} endpoint={endpoint} />
      {endpoint.status === "enabled" && (
        <TestButton club={club} endpoint={endpoint} isQuiet={!isHeld} {...(isHeld ? { label: probe } : {})} />
      )}
    </section>
  )
}

/** By itself, since it changes every second. */
const Sentence = ({ diagnosis, endpoint }: Omit<StateProps, "club">) => (
  <p>{withDates(endpointSentence(endpoint, diagnosis, sentenceContext()))}</p>
)

/** Reads an endpoint and its diagnosis again and again. Answers the time of the last read too. */
const useBoth = (club: Membership, endpointId: string) => {
  const endpoint = useEndpoint(club, endpointId)
  const diagnosis = useDiagnosis(club, endpointId)
  const error = endpoint.error ?? diagnosis.error
  // One that fails may do so for a moment only.
  useInterval([endpoint.error, diagnosis.error].some(isWithdrawn) ? undefined : readEvery, () => {
    endpoint.reload()
    diagnosis.reload()
  })
  const isLoading = endpoint.isLoading || diagnosis.isLoading
  const wasLoading = useRef(false)
  const readAt = useRef<string | undefined>(undefined)
  if (wasLoading.current && !isLoading && error === undefined) readAt.current = timestampOf(currentMillis())
  wasLoading.current = isLoading
  return { endpoint, diagnosis, error, readAt: readAt.current }
}

const EndpointPage = ({ club, params: { endpoint: endpointId = "" } }: ClubViewProps) => {
  const { diagnosis, endpoint, error, readAt } = useBoth(club, endpointId)
  const { asOf, deliveries, recover, registered, unread, webhooks } = said(words)
  const toDeliveries = clubPage(club, "webhooks", endpointId, "deliveries")
  useCommands([
    { label: deliveries, keys: "d", run: () => go(toDeliveries) },
    { label: recover, keys: "r", run: () => go(clubPage(club, "webhooks", endpointId, "recoveries")) }
  ])
  const above = [{ label: webhooks, to: clubPage(club, "webhooks") }]
  const known = endpoint.data
  const found = diagnosis.data
  if (known === undefined || found === undefined) {
    return (
      <>
        <PageHead title={webhooks} above={above} />
        {error === undefined ? <Shown read={endpoint}>{() => null}</Shown> : <Failure error={error} />}
      </>
    )
  }
  return (
    <>
      <PageHead
        title={nameOf(known)}
        above={above}
        badge={<HealthBadge of={{ ...known, ...found }} />}
        actions={<Actions club={club} endpoint={known} diagnosis={found} />}
      >
        <Sentence diagnosis={found} endpoint={known} />
        {error !== undefined && <p class="soft">{readAt === undefined ? unread : asOf(dateTime(readAt))}</p>}
      </PageHead>
      <EndpointTabs club={club} endpointId={endpointId} />
      <div class="beside">
        <div class="parts">
          <AdviceCard diagnosis={found} />
          <State club={club} diagnosis={found} endpoint={known} />
          <Signatures club={club} endpoint={known} />
          {known.kind !== "listener" && <Traffic club={club} endpoint={known} />}
        </div>
        <div class="parts">
          <Settings club={club} endpoint={known} />
          <FilterCard club={club} endpoint={known} />
          {known.kind !== "listener" && <OwnHeaders club={club} endpoint={known} />}
        </div>
      </div>
      <History club={club} endpointId={endpointId} />
      <p class="soft small">{registered(dateTime(known.created_at))}</p>
    </>
  )
}

/** An endpoint: its state, its actions and its deliveries. */
export default administered(EndpointPage)
