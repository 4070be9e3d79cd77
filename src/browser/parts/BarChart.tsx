import type { ComponentChildren } from "preact"
import { number } from "../client/Format.ts"
import { said, spoken } from "../client/Language.ts"
import { barsOf, heightOf, roundUp } from "./Bars.ts"

const words = spoken({ figures: "The same as a table" }, { figures: "O mesmo em tabela" })

interface FiguresProps {
  readonly label: string
  readonly heads: ReadonlyArray<string>
  readonly rows: ReadonlyArray<{ readonly key: string; readonly cells: ReadonlyArray<string> }>
}

/** The numbers of a picture, for people who would rather read them. */
export const Figures = ({ heads, label, rows }: FiguresProps) => (
  <details class="as-table">
    <summary>{said(words).figures}</summary>
    <div class="table scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <caption class="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {heads.map((head, index) => <th key={head} scope="col" class={index === 0 ? "" : "number"}>{head}</th>)}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ cells: [first, ...rest], key }) => (
            <tr key={key} data-row>
              <th scope="row">{first}</th>
              {rest.map((cell, index) => <td key={index} class="number">{cell}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </details>
)

/** Around a picture: how much its top is, the picture itself, what stands below it, and the numbers. */
export const ChartFrame = ({ below, children, figures, label, top }: {
  readonly label: string
  readonly top: number
  readonly children: ComponentChildren
  readonly below: ComponentChildren
  readonly figures: ComponentChildren
}) => (
  <figure class="bar-chart">
    <figcaption>{label}</figcaption>
    <div class="scale" aria-hidden="true">
      <span>{number(top)}</span>
      <span>0</span>
    </div>
    <div class="plot">{children}</div>
    <div class="axis" aria-hidden="true">{below}</div>
    {figures}
  </figure>
)

/** A value and its name. */
export interface NamedValue {
  readonly name: string
  readonly value: number
}

/** Bars side by side, such as days, with a line across them if there is a limit. */
export const BarChart = ({ figures, heads, label, limit, values }: {
  readonly label: string
  /** The heads of the names and of the values. */
  readonly heads: readonly [string, string]
  readonly values: ReadonlyArray<NamedValue>
  readonly limit?: NamedValue
  /** More numbers than the picture shows, in place of its own. */
  readonly figures?: ComponentChildren
}) => {
  const top = roundUp(Math.max(...values.map(({ value }) => value), limit?.value ?? 0, 1))
  const bars = barsOf(values.map(({ value }) => value), top)
  const [first, last] = [values[0], values.at(-1)]
  return (
    <ChartFrame
      label={label}
      top={top}
      below={
        <>
          <span>{first?.name}</span>
          {values.length > 1 && <span>{last?.name}</span>}
        </>
      }
      figures={figures ?? (
        <Figures
          label={label}
          heads={heads}
          rows={values.map(({ name, value }) => ({ key: name, cells: [name, number(value)] }))}
        />
      )}
    >
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        {bars.map(({ height, width, x }, index) => (
          <rect key={values[index]?.name ?? index} class="bar" x={x} y={100 - height} width={width} height={height}>
            <title>{`${values[index]?.name}: ${number(values[index]?.value ?? 0)}`}</title>
          </rect>
        ))}
        {limit !== undefined && (
          <line
            class="limit"
            x1="0"
            x2="100"
            y1={100 - heightOf(limit.value, top)}
            y2={100 - heightOf(limit.value, top)}
          >
            <title>{`${limit.name}: ${number(limit.value)}`}</title>
          </line>
        )}
      </svg>
    </ChartFrame>
  )
}
