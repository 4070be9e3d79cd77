import { exactTime, number, tick } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { millisOf } from "../../../browser/client/Time.ts"
import { recordedPerMinute, type Sample } from "./ages.ts"
import type { Quarter } from "./overview.ts"
import { counted } from "./Queues.tsx"
import { words } from "./words.ts"

const Row = ({ quarter: { accepted, at, capped, failed, given_up, per_second } }: { readonly quarter: Quarter }) => (
  <tr data-row>
    <th scope="row">
      <time dateTime={at} title={exactTime(at)}>{tick(millisOf(at), false)}</time>
    </th>
    <td class="number">{counted(accepted, capped)}</td>
    <td class="number">{counted(failed, capped)}</td>
    <td class="number">{counted(given_up, capped)}</td>
    <td class="number">{number(per_second.accepted)}</td>
    <td class="number">{number(per_second.failed)}</td>
  </tr>
)

/** The rate of attempts by their result, and the rate of events. */
export const Rates = ({ quarters, samples }: {
  readonly quarters: ReadonlyArray<Quarter>
  readonly samples: ReadonlyArray<Sample>
}) => {
  const events = recordedPerMinute(samples)
  return (
    <section class="stack" aria-labelledby="rates">
      <h2 id="rates">{said(words).rates}</h2>
      <dl class="facts">
        <dt>{said(words).events}</dt>
        <dd class="number">
          {events === undefined ? <span class="soft">{said(words).measuring}</span> : number(Math.round(events))}
        </dd>
      </dl>
      <div class="table scroll" tabIndex={0} role="region" aria-labelledby="rates">
        <table class="rates">
          <caption class="visually-hidden">{said(words).attempts}</caption>
          <thead>
            <tr>
              <th scope="col">{said(words).quarter}</th>
              <th scope="col" class="number">{said(words).accepted}</th>
              <th scope="col" class="number">{said(words).failed}</th>
              <th scope="col" class="number">{said(words).givenUp}</th>
              <th scope="col" class="number">{said(words).acceptedPerSecond}</th>
              <th scope="col" class="number">{said(words).failedPerSecond}</th>
            </tr>
          </thead>
          <tbody>{quarters.map((quarter) => <Row key={quarter.at} quarter={quarter} />)}</tbody>
        </table>
      </div>
      <p class="soft small">{said(words).ratesHow}</p>
    </section>
  )
}
