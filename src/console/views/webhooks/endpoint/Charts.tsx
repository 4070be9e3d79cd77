import { useMemo } from "preact/hooks"
import uPlot from "uplot"
import { dateTime, duration, number, tick } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { dateAt, millisOf } from "../../../../browser/client/Time.ts"
import { roundUp } from "../../../../browser/parts/Bars.ts"
import { type Colour, type Drawing, Plot } from "../../../../browser/parts/Plot.tsx"
import type { Schemas } from "../../../../sdk/index.ts"
import { greatest, topOf, totalOf } from "../model/Bars.ts"

const words = spoken(
  {
    accepted: "Accepted",
    at: "From",
    failed: "Failed",
    half: "Half took at most",
    latency: "How long attempts took",
    latencyOf: (half: string, most: string) => `Half of the attempts took at most ${half}, 95 of 100 at most ${most}`,
    most: "95 of 100 took at most",
    none: "No attempts in this period",
    volume: "Attempts",
    volumeOf: (succeeded: string, failed: string) => `${succeeded} accepted and ${failed} failed attempts`
  },
  {
    accepted: "Aceitas",
    at: "A partir de",
    failed: "Falharam",
    half: "Metade levou no máximo",
    latency: "Duração das tentativas",
    latencyOf: (half: string, most: string) =>
      `Metade das tentativas levou no máximo ${half}, 95 de 100 no máximo ${most}`,
    most: "95 de 100 levaram no máximo",
    none: "Nenhuma tentativa nesse período",
    volume: "Tentativas",
    volumeOf: (succeeded: string, failed: string) => `${succeeded} tentativas aceitas e ${failed} que falharam`
  }
)

type Points = Schemas["WebhookSeries"]["points"]

/** In pixels, with its axis and its legend. */
const height = 180

const font = "12px system-ui, sans-serif"

const bars = uPlot.paths.bars?.({ size: [0.8, 48], align: 1 })

/** In milliseconds: charts of more than this have days below them. */
const longest = 48 * 3_600_000

const seconds = (points: Points) => points.map(({ at }) => millisOf(at) / 1000)

/** The points of a drawing and their zone: the steps are hours and days of the club. */
interface Drawn {
  readonly points: Points
  readonly zone: string | undefined
}

interface Scale {
  readonly top: number
  /** A figure of it in words. */
  readonly text: (value: number) => string
}

/** The common parts of all plots of a series: time below, a few figures beside, and the time under the pointer. */
const framed = (
  { points, zone }: Drawn,
  { text, top }: Scale,
  colour: (name: Colour) => string,
  series: Array<uPlot.Series>
) => {
  const range: uPlot.Range.MinMax = [0, top]
  const begins = seconds(points)
  const [first = 0, second = first] = begins
  const last = begins.at(-1) ?? first
  // The last step has its room too.
  const span: uPlot.Range.MinMax = [first, last + (second - first)]
  const isLong = (last - first) * 1000 > longest
  const moment = (index: number | null) => {
    const point = index === null ? undefined : points[index]
    return point === undefined ? "–" : dateTime(point.at, zone)
  }
  return {
    axes: [
      {
        font,
        stroke: colour("ink-soft"),
        grid: { show: false },
        // A time of day in English is wider than uPlot's own space for it.
        space: 80,
        ticks: { stroke: colour("line") },
        values: (_: uPlot, splits: Array<number>) => splits.map((seconds) => tick(seconds * 1000, isLong, zone))
      },
      {
        font,
        size: 60,
        stroke: colour("ink-soft"),
        grid: { stroke: colour("line"), width: 1 },
        ticks: { show: false },
        values: (_: uPlot, splits: Array<number>) => splits.map((value) => Number.isInteger(value) ? text(value) : "")
      }
    ],
    ...(zone === undefined ? {} : { tzDate: (seconds: number) => uPlot.tzDate(dateAt(seconds * 1000), zone) }),
    cursor: { drag: { x: false, y: false }, points: { show: false } },
    scales: { x: { range: span }, y: { range } },
    series: [
      {
        label: said(words).at,
        value: (_: uPlot, _raw: number, _series: number, index: number | null) => moment(index)
      },
      ...series
    ]
  }
}

/** Bars one upon the other: the whole is drawn first, and what was accepted over it. */
const volumeDrawing = (drawn: Drawn): Drawing => {
  const { points } = drawn
  const { accepted, failed } = said(words)
  const shown = (of: (point: Points[number]) => number) =>
  (
    _: uPlot,
    _raw: number | null,
    _series: number,
    index: number | null
  ) => {
    const point = index === null ? undefined : points[index]
    return point === undefined ? "–" : number(of(point))
  }
  const bar = (label: string, fill: string, of: (point: Points[number]) => number) => ({
    label,
    fill,
    stroke: fill,
    width: 0,
    points: { show: false },
    value: shown(of),
    ...(bars === undefined ? {} : { paths: bars })
  })
  return {
    data: [
      seconds(points),
      points.map((point) => point.failed + point.succeeded),
      points.map(({ succeeded }) => succeeded)
    ],
    options: (colour) =>
      framed(drawn, { top: topOf(points), text: number }, colour, [
        bar(failed, colour("bad"), (point) => point.failed),
        bar(accepted, colour("good"), ({ succeeded }) => succeeded)
      ])
  }
}

/** Lines that break at steps without attempts. */
const latencyDrawing = (drawn: Drawn): Drawing => {
  const { points } = drawn
  const { half, most } = said(words)
  const [halves, mosts] = [points.map(({ p50_ms }) => p50_ms), points.map(({ p95_ms }) => p95_ms)]
  const line = (label: string, stroke: string) => ({
    label,
    stroke,
    width: 2,
    points: { show: true, size: 5, fill: stroke },
    value: (_: uPlot, millis: number | null) => millis === null ? "–" : duration(millis)
  })
  return {
    data: [seconds(points), mosts, halves],
    options: (colour) =>
      framed(drawn, { top: roundUp(greatest(mosts)), text: duration }, colour, [
        line(most, colour("waiting")),
        line(half, colour("accent"))
      ])
  }
}

const inWords = (points: Points) => {
  const { latencyOf, none, volumeOf } = said(words)
  const { failed, succeeded } = totalOf(points)
  const isEmpty = points.every(({ p95_ms }) => p95_ms === null)
  return {
    volume: volumeOf(number(succeeded), number(failed)),
    latency: isEmpty
      ? none
      : latencyOf(
        duration(greatest(points.map(({ p50_ms }) => p50_ms))),
        duration(greatest(points.map(({ p95_ms }) => p95_ms)))
      )
  }
}

/** Attempts that were accepted and failed, and their time, step by step. */
export default function Charts({ points, zone }: Drawn) {
  const { latency, volume } = said(words)
  const drawings = useMemo(
    () => ({ volume: volumeDrawing({ points, zone }), latency: latencyDrawing({ points, zone }) }),
    [points, volume, zone]
  )
  const labels = inWords(points)
  return (
    <div class="beside">
      <figure class="chart">
        <figcaption>
          <h3>{volume}</h3>
        </figcaption>
        <Plot label={labels.volume} height={height} drawing={drawings.volume} />
      </figure>
      <figure class="chart">
        <figcaption>
          <h3>{latency}</h3>
        </figcaption>
        <Plot label={labels.latency} height={height} drawing={drawings.latency} />
      </figure>
    </div>
  )
}
