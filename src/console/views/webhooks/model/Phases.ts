// The phases of an attempt's time. Pure.

/** The phases of an attempt in their order. */
export const phaseNames = ["lookup", "connect", "tls", "send", "wait", "read"] as const

export type PhaseName = (typeof phaseNames)[number]

/** In milliseconds. Null for a phase that the attempt did not have. */
export type Phases = Readonly<Record<`${PhaseName}_ms`, number | null>>

/** A phase between its beginning and its end, in parts of the whole. */
export interface Stretch {
  readonly name: PhaseName
  readonly millis: number
  readonly from: number
  readonly share: number
}

/** The phases after each other, in parts of the longest that is shown beside. */
export const stretchesOf = (phases: Phases, whole: number): ReadonlyArray<Stretch> => {
  const length = Math.max(1, whole, phaseNames.reduce((sum, name) => sum + (phases[`${name}_ms`] ?? 0), 0))
  let from = 0
  return phaseNames.flatMap((name) => {
    const millis = phases[`${name}_ms`]
    if (millis === null) return []
    const stretch = { name, millis, from: from / length, share: millis / length }
    from += millis
    return [stretch]
  })
}

/** The longest phase. Undefined if no phase took any time. */
export const slowest = (phases: Phases): PhaseName | undefined => {
  const [first] = phaseNames.toSorted((one, other) => (phases[`${other}_ms`] ?? 0) - (phases[`${one}_ms`] ?? 0))
  return first !== undefined && (phases[`${first}_ms`] ?? 0) > 0 ? first : undefined
}
