import { type Begun, begunOf, type Chosen, read, withBegun, withoutBegun } from "./begun.ts"

const key = "turma-uploads"

// A browser that keeps nothing begins anew.
const kept = (): ReadonlyArray<Begun> => {
  try {
    return read(sessionStorage.getItem(key))
  } catch {
    return []
  }
}

const keep = (all: ReadonlyArray<Begun>) => {
  try {
    if (all.length === 0) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(all))
  } catch {
    // As above.
  }
}

/** The record of an upload of this same file that this tab has started. */
export const remembered = (chosen: Chosen, taken: ReadonlySet<string>): string | undefined =>
  begunOf(kept(), chosen, taken)?.mediaId

/** Notes a started upload. */
export const remember = (begun: Begun): void => keep(withBegun(kept(), begun))

/** It is over. */
export const forgetBegun = (mediaId: string): void => keep(withoutBegun(kept(), mediaId))
