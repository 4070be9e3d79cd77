/** One metric in Prometheus' text: its lines of comment, its type, and the value of each series by its name. */
interface Family {
  readonly comments: ReadonlyArray<string>
  readonly type: string
  readonly series: Map<string, number>
}

type Families = Map<string, Family>

const numberOf = (text: string) => text === "+Inf" ? Infinity : text === "-Inf" ? -Infinity : Number(text)

const textOf = (value: number) => value === Infinity ? "+Inf" : value === -Infinity ? "-Inf" : `${value}`

const read = (text: string): Families => {
  const families: Families = new Map()
  let help: Array<string> = []
  let series = new Map<string, number>()
  for (const line of text.split("\n")) {
    const [, what, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? []
    if (what === "HELP") {
      help = [line]
    } else if (what === "TYPE") {
      series = new Map()
      families.set(name, { comments: [...help, line], type: rest, series })
      help = []
    } else if (line !== "") {
      const end = line.lastIndexOf(" ")
      series.set(line.slice(0, end), numberOf(line.slice(end + 1)))
    }
  }
  return families
}

const write = (families: Families) =>
  [...families.values()].flatMap(({ comments, series }) => [
    ...comments,
    ...Array.from(series, ([name, value]) => `${name} ${textOf(value)}`)
  ]).map((line) => `${line}\n`).join("")

/** A gauge says how something stands that all processes share, so the one that says the most is the nearest. */
const join = (type: string, one: number, other: number) => type === "gauge" ? Math.max(one, other) : one + other

/**
 * The metrics of several processes as one, in Prometheus' text. Counters and histograms are added up; of several gauges
 * the greatest stands.
 */
export const mergeMetrics = (texts: ReadonlyArray<string>): string => {
  const merged: Families = new Map()
  for (const [name, { comments, series, type }] of texts.flatMap((text) => [...read(text)])) {
    const family = merged.get(name) ?? { comments, type, series: new Map() }
    merged.set(name, family)
    for (const [key, value] of series) {
      const known = family.series.get(key)
      family.series.set(key, known === undefined ? value : join(type, known, value))
    }
  }
  return write(merged)
}

/** The metrics of an ended process that still count: all except its gauges. */
export const withoutGauges = (text: string): string =>
  write(new Map([...read(text)].filter(([, { type }]) => type !== "gauge")))
