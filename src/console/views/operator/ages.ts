// The ages of each queue's oldest entry and the number of events, since the page was opened. Pure.

/** The figures of one moment. */
export interface Sample {
  /** In milliseconds since 1970. */
  readonly at: number
  /** In seconds, by queue. */
  readonly ages: Readonly<Record<string, number>>
  /** Number of recorded facts, if known. */
  readonly recorded?: number
}

/** Number of kept samples: an hour with one each 5 seconds. */
export const mostSamples = 720

/** With this one; the oldest makes room. */
export const withSample = (samples: ReadonlyArray<Sample>, sample: Sample): ReadonlyArray<Sample> =>
  [...samples, sample].slice(-mostSamples)

const rounded = (value: number) => Math.round(value * 100) / 100

/** The age curve of a queue: the points of a line in a square of 100, old above and new at the right. */
export const curveOf = (samples: ReadonlyArray<Sample>, name: string): string => {
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined) return ""
  const top = Math.max(1, ...samples.map(({ ages }) => ages[name] ?? 0))
  // Lines have a width, which is within the square too.
  const heightAt = ({ ages }: Sample) => rounded(96 - (ages[name] ?? 0) / top * 92)
  if (last.at === first.at) return `0,${heightAt(last)} 100,${heightAt(last)}`
  return samples
    .map((sample) => `${rounded((sample.at - first.at) / (last.at - first.at) * 100)},${heightAt(sample)}`)
    .join(" ")
}

/** How old the oldest was at most. */
export const highestOf = (samples: ReadonlyArray<Sample>, name: string): number =>
  Math.max(0, ...samples.map(({ ages }) => ages[name] ?? 0))

/** In milliseconds: what came in is looked at over the last minute, and after ten seconds there is something to say. */
const [longest, shortest] = [60_000, 10_000]

/** Facts recorded a minute. Undefined without enough samples, and after the counter restarts. */
export const recordedPerMinute = (samples: ReadonlyArray<Sample>): number | undefined => {
  const last = samples.at(-1)
  const first = samples.find(({ at, recorded }) =>
    recorded !== undefined && last !== undefined && last.at - at <= longest
  )
  if (last?.recorded === undefined || first?.recorded === undefined) return undefined
  const [seen, count] = [last.at - first.at, last.recorded - first.recorded]
  return seen < shortest || count < 0 ? undefined : count / seen * 60_000
}
