/** How many times longer everybody pauses than at the busiest hour, by the hour of a club's day. */
const pauses = [
  [6, 8, 10, 12, 12, 8],
  [4, 3, 2, 1.5, 1.5, 2],
  [2, 2, 2, 1.5, 1.5, 1.2],
  [1, 1, 1, 1, 2, 4]
].flat()

/** The pace at this time of a day: 0 is midnight, and so is 1. */
export const paceAt = (day: number): number => pauses[Math.floor((day % 1) * pauses.length)] ?? 1

/** What goes wrong on every day, and at which hour. */
export const mishaps = [
  { hour: 9, what: "worker" },
  { hour: 11, what: "receivers" },
  { hour: 15, what: "redis" },
  { hour: 17, what: "database" },
  { hour: 20, what: "receivers" }
] as const
