import type { Schemas } from "../../../../sdk/index.ts"
import { dateTime, duration, number } from "../../../client/Format.ts"
import { said, spoken } from "../../../client/Language.ts"
import { barsOf, lineOf, roundUp, topOf, totalOf } from "../model/Bars.ts"

const words = spoken(
  {
    accepted: "Accepted attempts",
    failed: "Failed attempts",
    half: "Half took at most",
    latency: "How long attempts took",
    latencyOf: (half: string, most: string) => `Half of the attempts took at most ${half}, 95 of 100 at most ${most}`,
    most: "95 of 100 took at most",
    none: "No attempts in this time",
    now: "now",
    point: (at: string, succeeded: string, failed: string) => `${at}: ${succeeded} accepted, ${failed} failed`,
    volume: "Attempts",
    volumeOf: (succeeded: string, failed: string) => `${succeeded} accepted and ${failed} failed attempts`
  },
  {
    accepted: "Tentativas aceitas",
    failed: "Tentativas que falharam",
    half: "Metade levou no máximo",
    latency: "Quanto as tentativas levaram",
    latencyOf: (half: string, most: string) =>
      `Metade das tentativas levou no máximo ${half}, 95 de 100 no máximo ${most}`,
    most: "95 de 100 levaram no máximo",
    none: "Nenhuma tentativa nesse tempo",
    now: "agora",
    point: (at: string, succeeded: string, failed: string) => `${at}: ${succeeded} aceitas, ${failed} falharam`,
    volume: "Tentativas",
    volumeOf: (succeeded: string, failed: string) => `${succeeded} tentativas aceitas e ${failed} que falharam`
  }
)

type Points = Schemas["WebhookSeries"]["points"]

const Ends = ({ points }: { readonly points: Points }) => (
  <div class="ends" aria-hidden="true">
    <span>{points[0] === undefined ? "" : dateTime(points[0].at)}</span>
    <span>{said(words).now}</span>
  </div>
)

/** How many attempts were accepted and failed, step by step. */
export const VolumeChart = ({ points }: { readonly points: Points }) => {
  const { accepted, failed: failedWord, point, volume, volumeOf } = said(words)
  const top = topOf(points)
  const { failed, succeeded } = totalOf(points)
  return (
    <figure class="chart">
      <figcaption>
        <h3>{volume}</h3>
        <ul class="legend">
          <li>
            <span class="key good" aria-hidden="true" />
            {accepted} {number(succeeded)}
          </li>
          <li>
            <span class="key bad" aria-hidden="true" />
            {failedWord} {number(failed)}
          </li>
        </ul>
      </figcaption>
      <div class="plot">
        <svg
          class="bars"
          viewBox="0 0 1 1"
          preserveAspectRatio="none"
          role="img"
          aria-label={volumeOf(number(succeeded), number(failed))}
        >
          {barsOf(points, top).map((bar, index) => {
            const one = points[index]
            return (
              <g key={one?.at ?? index}>
                {one !== undefined && (
                  <title>{point(dateTime(one.at), number(one.succeeded), number(one.failed))}</title>
                )}
                <rect x={bar.x} y={0} width={bar.width} height={1} fill="transparent" />
                <rect class="good" x={bar.x} y={bar.succeeded.y} width={bar.width} height={bar.succeeded.height} />
                <rect class="bad" x={bar.x} y={bar.failed.y} width={bar.width} height={bar.failed.height} />
              </g>
            )
          })}
        </svg>
        <span class="top number" aria-hidden="true">{number(top)}</span>
      </div>
      <Ends points={points} />
    </figure>
  )
}

const greatest = (values: ReadonlyArray<number | null>) =>
  values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0)

/** How long attempts took, step by step. */
export const LatencyChart = ({ points }: { readonly points: Points }) => {
  const { half, latency, latencyOf, most, none } = said(words)
  const halves = points.map(({ p50_ms }) => p50_ms)
  const mosts = points.map(({ p95_ms }) => p95_ms)
  const top = roundUp(greatest(mosts))
  const isEmpty = mosts.every((value) => value === null)
  return (
    <figure class="chart">
      <figcaption>
        <h3>{latency}</h3>
        <ul class="legend">
          <li>
            <span class="key half" aria-hidden="true" />
            {half}
          </li>
          <li>
            <span class="key most" aria-hidden="true" />
            {most}
          </li>
        </ul>
      </figcaption>
      <div class="plot">
        <svg
          class="bars"
          viewBox="0 0 1 1"
          preserveAspectRatio="none"
          role="img"
          aria-label={isEmpty ? none : latencyOf(duration(greatest(halves)), duration(greatest(mosts)))}
        >
          <path class="most" d={lineOf(mosts, top)} />
          <path class="half" d={lineOf(halves, top)} />
        </svg>
        <span class="top number" aria-hidden="true">{isEmpty ? none : duration(top)}</span>
      </div>
      <Ends points={points} />
    </figure>
  )
}
