import { readStored } from "./BrowserStorage.ts"
import { askEarly } from "./Early.ts"

/**
 * Runs before the first paint, so that a page in the other theme is never seen, and begins with these reads: paths of the
 * API.
 */
export const start = (reads: ReadonlyArray<string>): void => {
  document.documentElement.dataset["theme"] = readStored("turma-theme") ?? "system"
  askEarly(reads)
}
