import { site } from "./Site.ts"

declare global {
  // A declaration of the window's own, which both scripts share: the start, and the page's modules after it.
  var turmaEarly: Map<string, Promise<Response>> | undefined
}

/** Asks the API for these before the page's modules are there: paths below its address. */
export const askEarly = (paths: ReadonlyArray<string>): void => {
  globalThis.turmaEarly = new Map(paths.map((path) => {
    const url = `${location.origin}${site.exchange}/api${path}`
    const answer = fetch(url, { headers: site.header, credentials: "same-origin" })
    answer.catch(() => {})
    return [url, answer]
  }))
}

/** The good answer to a read that was asked early, once. Undefined if the read must go out. */
export const takeEarly = async (url: string): Promise<Response | undefined> => {
  const asked = globalThis.turmaEarly?.get(url)
  globalThis.turmaEarly?.delete(url)
  const answer = await asked?.catch(() => undefined)
  return answer?.ok === true ? answer : undefined
}

/** Forgets what was asked early: it belongs to the session before. */
export const forgetEarly = (): void => {
  globalThis.turmaEarly = undefined
}
