import { number } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { Badge } from "../../../browser/parts/Badge.tsx"
import { curveOf, highestOf, type Sample } from "./ages.ts"
import { longWait, type Queue } from "./overview.ts"
import { words } from "./words.ts"

const seconds = (value: number) => said(words).seconds(number(Math.round(value)))

/** How old the oldest was since the page was opened. */
const AgeCurve = ({ name, samples }: { readonly name: string; readonly samples: ReadonlyArray<Sample> }) => (
  <svg
    class="age-curve"
    viewBox="0 0 100 100"
    preserveAspectRatio="none"
    role="img"
    aria-label={said(words).ages(name, seconds(highestOf(samples, name)))}
  >
    <polyline points={curveOf(samples, name)} />
  </svg>
)

/** The number, at least. */
export const counted = (count: number, capped: boolean): string =>
  capped ? said(words).atLeast(number(count)) : number(count)

/** The queues: the number of waiting entries, and the age of the oldest. */
export const Queues = ({ queues, samples }: {
  readonly queues: ReadonlyArray<Queue>
  readonly samples: ReadonlyArray<Sample>
}) => (
  <div class="table">
    <table class="queues">
      <caption class="visually-hidden">{said(words).queues}</caption>
      <thead>
        <tr>
          <th scope="col">{said(words).name}</th>
          <th scope="col" class="number">{said(words).waiting}</th>
          <th scope="col" class="number">{said(words).age}</th>
          <th scope="col" class="minor">{said(words).curve}</th>
        </tr>
      </thead>
      <tbody>
        {queues.map(({ capped, depth, name, oldest_seconds }) => (
          <tr key={name} data-row>
            <th scope="row" class="whole">{name}</th>
            <td class="number">{counted(depth, capped)}</td>
            <td class="number">
              {oldest_seconds >= longWait
                ? <Badge tone="bad">{seconds(oldest_seconds)}</Badge>
                : oldest_seconds > 0
                ? seconds(oldest_seconds)
                : "—"}
            </td>
            <td class="minor">
              <AgeCurve name={name} samples={samples} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
