/** The factor by which all pauses are longer than at the busiest hour, for each hour of a club's day. */
const pauses = [
  [6, 8, 10, 12, 12, 8],
  [4, 3, 2, 1.5, 1.5, 2],
  [2, 2, 2, 1.5, 1.5, 1.2],
  [1, 1, 1, 1, 2, 4]
].flat()

/** The pace at a moment of a day, given as a fraction: 0 and 1 are midnight. */
export const paceAt = (day: number): number => pauses[Math.floor((day % 1) * pauses.length)] ?? 1

/** The mishaps of every day, and their hours. */
export const mishaps = [
  { hour: 9, what: "worker" },
  { hour: 11, what: "receivers" },
  { hour: 15, what: "redis" },
  { hour: 17, what: "database" },
  { hour: 20, what: "receivers" }
] as const
