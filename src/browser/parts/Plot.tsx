import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import uPlot from "uplot"
import { theme } from "../client/Theme.ts"

/** The colours of a plot: tokens of the style sheet. */
export type Colour = "accent" | "bad" | "good" | "ink-soft" | "line" | "waiting"

const colours: ReadonlyArray<Colour> = ["accent", "bad", "good", "ink-soft", "line", "waiting"]

/** A drawing of figures over time, in these colours. */
export interface Drawing {
  readonly data: uPlot.AlignedData
  readonly options: (colour: (name: Colour) => string) => Omit<uPlot.Options, "height" | "width">
}

interface PlotProps {
  /** The plot in a sentence, for readers who do not see it. The figures stand in a table beside it. */
  readonly label: string
  /** In pixels. */
  readonly height: number
  readonly drawing: Drawing
}

const dark = matchMedia("(prefers-color-scheme: dark)")

/** Counts the changes of the system's theme. */
const useSystemTheme = () => {
  const changes = useSignal(0)
  useEffect(() => {
    const count = () => changes.value++
    dark.addEventListener("change", count)
    return () => dark.removeEventListener("change", count)
  }, [])
  return changes.value
}

/** A plot that is as wide as its place and as light or dark as the page. */
export const Plot = ({ drawing, height, label }: PlotProps) => {
  const place = useRef<HTMLDivElement>(null)
  const probe = useRef<HTMLSpanElement>(null)
  const pointed = useRef<{ readonly left: number; readonly top: number } | undefined>(undefined)
  const system = useSystemTheme()
  const chosen = theme.value
  useEffect(() => {
    const [element, span] = [place.current, probe.current]
    if (element === null || span === null) return undefined
    // A canvas knows no tokens: what they are now is read of an element that has them.
    const known = new Map(colours.map((name) => {
      span.style.color = `var(--${name})`
      return [name, getComputedStyle(span).color]
    }))
    const options = drawing.options((name) => known.get(name) ?? "")
    // A new drawing keeps the figures of the point under the pointer.
    const point = (drawn: uPlot) => {
      if (pointed.current !== undefined) drawn.setCursor(pointed.current)
    }
    const mark = ({ legend, root }: uPlot) => root.classList.toggle("unpointed", typeof legend.idx !== "number")
    const hooks = { ready: [mark, point], setLegend: [mark] }
    const plot = new uPlot({ ...options, hooks, height, width: element.clientWidth }, drawing.data, element)
    const fitting = new ResizeObserver(() => plot.setSize({ height, width: element.clientWidth }))
    fitting.observe(element)
    return () => {
      fitting.disconnect()
      const { left = -1, top = -1 } = plot.cursor
      pointed.current = left < 0 ? undefined : { left, top }
      plot.destroy()
    }
  }, [drawing, height, chosen, system])
  return (
    <>
      <span ref={probe} hidden />
      <div ref={place} class="plot" role="img" aria-label={label} />
    </>
  )
}
