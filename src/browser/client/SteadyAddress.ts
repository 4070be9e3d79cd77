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
 * The file with this name at its first address, as long as that lasts. Each answer of the API has another one, and a
 * player or an image would begin again with it. A record that replaces another needs another name.
 */
export const steadyFile = (name: string, { expires_at, url }: Addressed): Addressed => {
  const found = known.get(name)
  if (found !== undefined && isFresh(found)) return found
  const file = { expires_at, url }
  known.delete(name)
  known.set(name, file)
  const [oldest] = known.keys()
  if (known.size > most && oldest !== undefined) known.delete(oldest)
  return file
}

/** The address of a file that is shown, as long as it lasts. */
export const steadyAddress = (name: string, file: Addressed): string => steadyFile(name, file).url

/** From now on the next address of this file counts: the known one has failed. */
export const forgetAddress = (name: string): void => {
  known.delete(name)
}
