// How old the oldest of each queue was, as it was seen since the page was opened. Pure.

/** What was seen at one moment. */
export interface Sample {
  /** In milliseconds since 1970. */
  readonly at: number
  /** In seconds, by queue. */
  readonly ages: Readonly<Record<string, number>>
}

/** How many samples are kept: an hour of one each 5 seconds. */
export const mostSamples = 720

/** With this one; the oldest makes room. */
export const withSample = (samples: ReadonlyArray<Sample>, sample: Sample): ReadonlyArray<Sample> =>
  [...samples, sample].slice(-mostSamples)

/** The age curve of a queue: the points of a line in a square of 100, old above and new at the right. */
export const curveOf = (samples: ReadonlyArray<Sample>, name: string): string => {
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined || last.at === first.at) return ""
  const top = Math.max(1, ...samples.map(({ ages }) => ages[name] ?? 0))
  return samples.map(({ ages, at }) => {
    const x = (at - first.at) / (last.at - first.at) * 100
    const y = 100 - (ages[name] ?? 0) / top * 100
    return `${Math.round(x * 100) / 100},${Math.round(y * 100) / 100}`
  }).join(" ")
}

/** How old the oldest was at most. */
export const highestOf = (samples: ReadonlyArray<Sample>, name: string): number =>
  Math.max(0, ...samples.map(({ ages }) => ages[name] ?? 0))
