// Progress in steps that are not too many to read. Pure.

/** The last tenth of the way: listeners get these and the end, not each step. */
export const tenthOf = (done: number, all: number): number =>
  all <= 0 ? 1 : Math.floor(Math.min(1, Math.max(0, done / all)) * 10) / 10
