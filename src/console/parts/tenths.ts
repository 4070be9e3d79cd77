// How far something is, as often as one wants to be told of it. Pure.

/** The tenth of the way that is reached: whoever listens is told of these, and of the end, not of each step. */
export const tenthOf = (done: number, all: number): number =>
  all <= 0 ? 1 : Math.floor(Math.min(1, Math.max(0, done / all)) * 10) / 10
