import type { Sample } from "./Flatness.ts"

/** A series of samples with its name and unit. */
export interface Curve {
  readonly name: string
  readonly unit: string
  readonly samples: ReadonlyArray<Sample>
}

/** In pixels. */
const panel = { width: 420, height: 130, left: 56, top: 26, bottom: 18, gap: 14 }
const columns = 2

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

const rounded = (value: number) => Number(value.toPrecision(3)).toLocaleString("en")

/** One small plot. Its axis starts at zero, which shows the true size of a rise. */
const plot = ({ name, samples, unit }: Curve, index: number, days: number): string => {
  const { bottom, gap, height, left, top, width } = panel
  const most = Math.max(...samples.map(({ value }) => value), 1)
  const inner = { width: width - left - gap, height: height - top - bottom }
  const x = (day: number) => left + day / days * inner.width
  const y = (value: number) => top + inner.height - value / most * inner.height
  const points = samples.map(({ day, value }) => `${x(day).toFixed(1)},${y(value).toFixed(1)}`).join(" ")
  const midnights = Array.from(
    { length: Math.floor(days) + 1 },
    (_, day) =>
      `<line class="grid" x1="${x(day).toFixed(1)}" x2="${x(day).toFixed(1)}" y1="${top}" y2="${top + inner.height}"/>`
  )
  return [
    `<g transform="translate(${index % columns * width} ${Math.floor(index / columns) * height})">`,
    `<text class="name" x="${left}" y="${top - 8}">${escaped(name)}</text>`,
    ...midnights,
    ...[0, most].map((value) =>
      `<text class="tick" x="${left - 6}" y="${(y(value) + 4).toFixed(1)}">${rounded(value)}${
        value === 0 ? "" : ` ${escaped(unit)}`
      }</text>`
    ),
    `<polyline points="${points}"/>`,
    "</g>"
  ].join("\n")
}

const style = `svg { background: #fff; font: 11px system-ui, sans-serif } polyline { fill: none; stroke: #2456c8;
stroke-width: 1.2 } .grid { stroke: #d8dce3 } .tick { fill: #5b6472; text-anchor: end } .name { fill: #14181f }`

/** All curves in one SVG, two in a row, with a line at each midnight. */
export const drawCurves = (curves: ReadonlyArray<Curve>): string => {
  const days = Math.max(...curves.flatMap(({ samples }) => samples.map(({ day }) => day)), 1)
  const size = { width: columns * panel.width, height: Math.ceil(curves.length / columns) * panel.height }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" ` +
    `width="${size.width}" height="${size.height}">`,
    `<style>${style}</style>`,
    ...curves.map((curve, index) => plot(curve, index, days)),
    "</svg>",
    ""
  ].join("\n")
}
