import { number, withDates } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import type { Membership } from "../../../club/Session.ts"
import { clubPage } from "../../../club/View.ts"
import { type Outcomes, totalOf } from "../model/Bars.ts"
import { byUrgency, type Known } from "../model/ClubSentence.ts"
import { healthOf, nameOf, wantsHelp } from "../model/EndpointHealth.ts"
import { endpointSentence } from "../model/EndpointSentence.ts"
import { HealthBadge } from "../parts/HealthBadge.tsx"
import { sentenceContext } from "../parts/sentenceContext.ts"
import { Sparkline } from "../parts/Sparkline.tsx"

const words = spoken(
  {
    attempts: (succeeded: string, failed: string) => `${succeeded} accepted, ${failed} failed in 24 hours`,
    capped: (count: string) => `${count}+ waiting`,
    label: "Endpoints",
    waiting: (count: string) => `${count} waiting`
  },
  {
    attempts: (succeeded: string, failed: string) => `${succeeded} aceitas, ${failed} falharam em 24 horas`,
    capped: (count: string) => `mais de ${count} esperando`,
    label: "Endpoints",
    waiting: (count: string) => `${count} esperando`
  }
)

interface RowProps extends Known {
  readonly club: Membership
  readonly points: ReadonlyArray<Outcomes>
  /** True if the row says what is wrong. For the first row the page itself says it. */
  readonly showsSentence: boolean
}

const EndpointRow = ({ club, diagnosis, endpoint, showsSentence, points }: RowProps) => {
  const { capped, attempts, waiting } = said(words)
  const { failed, succeeded } = totalOf(points)
  const summary = attempts(number(succeeded), number(failed))
  const depth = number(diagnosis.queue_depth)
  const state = { ...endpoint, ...diagnosis }
  return (
    <li class="endpoint">
      <div class="about">
        <div class="row">
          <a class="name" href={clubPage(club, "webhooks", endpoint.id)} dir="auto">{nameOf(endpoint)}</a>
          <HealthBadge of={state} />
        </div>
        {endpoint.description !== "" && <p class="soft small url">{endpoint.url}</p>}
        {showsSentence && wantsHelp(healthOf(state)) && (
          <p class="small">{withDates(endpointSentence(endpoint, diagnosis, sentenceContext()))}</p>
        )}
      </div>
      <div class="day">
        <Sparkline points={points} label={summary} />
        <span class="soft small">{summary}</span>
      </div>
      <span class="depth number">{diagnosis.queue_depth_capped ? capped(depth) : waiting(depth)}</span>
    </li>
  )
}

/** The endpoints of a club, those that want somebody first. */
export const EndpointList = ({ all, club, series }: {
  readonly club: Membership
  readonly all: ReadonlyArray<Known>
  readonly series: ReadonlyMap<string, ReadonlyArray<Outcomes>>
}) => (
  <ul class="endpoints" aria-label={said(words).label}>
    {byUrgency(all).map(({ diagnosis, endpoint }, index) => (
      <EndpointRow
        key={endpoint.id}
        club={club}
        diagnosis={diagnosis}
        endpoint={endpoint}
        showsSentence={index > 0}
        points={series.get(endpoint.id) ?? []}
      />
    ))}
  </ul>
)
