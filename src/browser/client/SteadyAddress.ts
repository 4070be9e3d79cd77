import { currentMillis, millisOf } from "./Time.ts"

/** A file that is shown, with an address that may end. */
export interface Addressed {
  readonly url: string
  readonly expires_at: string | null
}

/** In milliseconds: an address is not used so shortly before its end. */
const margin = 5 * 60_000

/** So many files are remembered. */
const most = 500

const known = new Map<string, Addressed>()

const isFresh = ({ expires_at }: Addressed) => expires_at === null || millisOf(expires_at) - margin > currentMillis()

/**
 * The first address of the file with this name, as long as it lasts. Each answer of the API has another one, and a player
 * or an image would begin again with it.
 */
export const steadyAddress = (name: string, file: Addressed): string => {
  const found = known.get(name)
  if (found !== undefined && isFresh(found)) return found.url
  known.delete(name)
  known.set(name, file)
  const [oldest] = known.keys()
  if (known.size > most && oldest !== undefined) known.delete(oldest)
  return file.url
}

/** From now on the next address of this file counts: the known one has failed. */
export const forgetAddress = (name: string): void => {
  known.delete(name)
}
