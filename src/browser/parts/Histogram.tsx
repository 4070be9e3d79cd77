import { number } from "../client/Format.ts"
import { ChartFrame, Figures } from "./BarChart.tsx"
import { barsOf, positionOf, roundUp, type Step } from "./Bars.ts"

/** A line across a histogram, at so many. */
interface HistogramLine {
  readonly key: string
  readonly name: string
  readonly at: number
}

interface HistogramProps {
  readonly label: string
  readonly steps: ReadonlyArray<Step>
  /** The heads of the steps and of the counts. */
  readonly heads: readonly [string, string]
  /** As it is. */
  readonly lines: ReadonlyArray<HistogramLine>
  /** As it would be. */
  readonly proposed?: ReadonlyArray<HistogramLine>
}

const rangeOf = ({ from, to }: Step) =>
  to === null ? `${number(from)} +` : to - from === 1 ? number(from) : `${number(from)} – ${number(to - 1)}`

const Lines = ({ kind, lines, steps }: {
  readonly kind: "now" | "proposed"
  readonly lines: ReadonlyArray<HistogramLine>
  readonly steps: ReadonlyArray<Step>
}) => (
  <>
    {lines.map(({ at, key, name }) => (
      <line key={key} class={kind} x1={positionOf(at, steps)} x2={positionOf(at, steps)} y1="0" y2="100">
        <title>{`${name}: ${number(at)}`}</title>
      </line>
    ))}
  </>
)

/** A histogram of amounts, with lines at the starts of levels. */
export const Histogram = ({ heads, label, lines, proposed = [], steps }: HistogramProps) => {
  const top = roundUp(Math.max(...steps.map(({ students }) => students), 1))
  const last = steps.at(-1)
  return (
    <ChartFrame
      label={label}
      top={top}
      below={
        <>
          <span>{number(steps[0]?.from ?? 0)}</span>
          {last !== undefined && steps.length > 1 && <span>{rangeOf(last)}</span>}
        </>
      }
      figures={
        <Figures
          label={label}
          heads={heads}
          rows={steps.map((step) => ({ key: String(step.from), cells: [rangeOf(step), number(step.students)] }))}
        />
      }
    >
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        {barsOf(steps.map(({ students }) => students), top).map(({ height, width, x }, index) => (
          <rect key={steps[index]?.from ?? index} class="bar" x={x} y={100 - height} width={width} height={height} />
        ))}
        <Lines kind="now" lines={lines} steps={steps} />
        <Lines kind="proposed" lines={proposed} steps={steps} />
      </svg>
    </ChartFrame>
  )
}
