// How far a student is in the ladder. Pure.

interface Step {
  readonly min_points: number
}

/** The part of the way from a level to the next one: between 0 and `whole` points. */
export const progressOf = (
  points: number,
  level: Step,
  next: Step
): { readonly done: number; readonly whole: number } => {
  const whole = next.min_points - level.min_points
  return { done: Math.min(whole, Math.max(0, points - level.min_points)), whole }
}

/** The periods of the ranking, as addresses name them. */
export const periods = ["7d", "30d", "all"] as const
export type Period = (typeof periods)[number]

/** The period that an address names; all time unless it names one. */
export const periodIn = (text: string | null): Period => periods.find((period) => period === text) ?? "all"
