import { turma } from "../../../../browser/client/Api.ts"
import { dateTime, duration, number, percent } from "../../../../browser/client/Format.ts"
import { useInterval } from "../../../../browser/client/Interval.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { query, setQuery } from "../../../../browser/client/Location.ts"
import { useRead } from "../../../../browser/client/Reads.ts"
import { lazy } from "../../../../browser/parts/lazy.tsx"
import { Shown } from "../../../../browser/parts/States.tsx"
import type { Schemas } from "../../../../sdk/index.ts"
import { clubHint, clubZone } from "../../../club/ClubZone.ts"
import type { Membership } from "../../../club/Session.ts"
import { totalOf } from "../model/Bars.ts"
import { endpointsKey } from "../parts/Reads.ts"

const windows = ["24h", "7d", "30d"] as const
type Window = (typeof windows)[number]

const words = spoken(
  {
    accepted: "Accepted",
    at: "From",
    failed: "Failed",
    givenUp: "Given up",
    none: "–",
    p50: "Half, at most",
    p95: "95 of 100, at most",
    share: "Accepted share",
    table: "The same as a table",
    title: "What was sent",
    window: "Period",
    windows: { "24h": "24 hours", "7d": "7 days", "30d": "30 days" }
  },
  {
    accepted: "Aceitas",
    at: "A partir de",
    failed: "Falharam",
    givenUp: "Abandonados",
    none: "–",
    p50: "Metade, no máximo",
    p95: "95 de 100, no máximo",
    share: "% aceitas",
    table: "O mesmo em tabela",
    title: "O que foi enviado",
    window: "Período",
    windows: { "24h": "24 horas", "7d": "7 dias", "30d": "30 dias" }
  }
)

/** How often it is read anew, in milliseconds. */
const readEvery = 30_000

/** Only readers of charts load the library that draws. */
const Charts = lazy(() => import("./Charts.tsx"))

type Points = Schemas["WebhookSeries"]["points"]

const PointsTable = ({ points }: { readonly points: Points }) => {
  const zone = clubZone.value
  const { accepted, at, failed, givenUp, none, p50, p95, table, title } = said(words)
  const millis = (value: number | null) => value === null ? none : duration(value)
  return (
    <details>
      <summary>{table}</summary>
      <div class="scroll" tabIndex={0} role="region" aria-label={table}>
        <table>
          <caption class="visually-hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{at}</th>
              {[accepted, failed, givenUp, p50, p95].map((head) => <th key={head} scope="col" class="number">{head}
              </th>)}
            </tr>
          </thead>
          <tbody>
            {points.toReversed().map((point) => (
              <tr key={point.at}>
                <th scope="row">{dateTime(point.at, zone)}</th>
                <td class="number">{number(point.succeeded)}</td>
                <td class="number">{number(point.failed)}</td>
                <td class="number">{number(point.given_up)}</td>
                <td class="number">{millis(point.p50_ms)}</td>
                <td class="number">{millis(point.p95_ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

const Figures = ({ points }: { readonly points: Points }) => {
  const { accepted, failed: failedWord, givenUp, none, share } = said(words)
  const { failed, succeeded } = totalOf(points)
  const all = failed + succeeded
  return (
    <dl class="figures">
      <div>
        <dt>{share}</dt>
        <dd>{all === 0 ? none : percent(succeeded / all)}</dd>
      </div>
      <div>
        <dt>{accepted}</dt>
        <dd>{number(succeeded)}</dd>
      </div>
      <div>
        <dt>{failedWord}</dt>
        <dd>{number(failed)}</dd>
      </div>
      <div>
        <dt>{givenUp}</dt>
        <dd>{number(points.reduce((sum, { given_up }) => sum + given_up, 0))}</dd>
      </div>
    </dl>
  )
}

/** The results of the attempts, by hour or day. */
export const History = ({ club, endpointId }: { readonly club: Membership; readonly endpointId: string }) => {
  const asked = query.value.get("window")
  const window: Window = windows.find((one) => one === asked) ?? "24h"
  const series = useRead(endpointsKey(club, endpointId, "series", window), async (signal) => {
    const params = { clubId: club.organization_id, endpointId, window }
    const { data } = await turma.webhookEndpoints.series(params, { signal })
    return data
  })
  useInterval(readEvery, series.reload)
  const hint = clubHint()
  return (
    <section class="card stack" aria-labelledby="history">
      <div class="row headed">
        <h2 id="history">{said(words).title}</h2>
        <div class="chosen" role="group" aria-label={said(words).window}>
          {windows.map((one) => (
            <button
              key={one}
              type="button"
              class="quiet"
              aria-pressed={one === window}
              onClick={() => setQuery({ window: one === "24h" ? undefined : one })}
            >
              {said(words).windows[one]}
            </button>
          ))}
        </div>
      </div>
      <Shown read={series}>
        {({ points }) => (
          <>
            <Figures points={points} />
            <Charts points={points} zone={clubZone.value} />
            {hint !== undefined && <p class="soft small">{hint}</p>}
            <PointsTable points={points} />
          </>
        )}
      </Shown>
    </section>
  )
}
