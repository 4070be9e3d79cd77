import { signal } from "@preact/signals"
import { createTurma, type Fetch, TurmaConnectionError, TurmaError } from "../../sdk/index.ts"
import { forgetEarly, takeEarly } from "./Early.ts"
import { language, said, spoken } from "./Language.ts"
import { endedCode } from "./Refusals.ts"
import { site } from "./Site.ts"
import { learnTime } from "./Time.ts"

const words = spoken({ unreached: "The service was not reached" }, { unreached: "O serviço não respondeu" })

/** True if the last request reached the service. */
export const isOnline = signal(true)

/** `open` while somebody is signed in; `unknown` until the first answer. */
export const session = signal<"unknown" | "open" | "closed">("unknown")

let sessions = 0

/** Which session of this page it is: what was asked in one before says nothing of this one. */
export const sessionNumber = (): number => sessions

/** A new session begins. It may belong to another person. */
export const beginSession = (): void => {
  sessions++
  forgetEarly()
}

// The machine may know it before a request does.
addEventListener("offline", () => {
  isOnline.value = false
})

/** The service says its sentences in the language that the reader has chosen, which may be another than the browser's. */
const ownHeaders = () => ({ ...site.header, "accept-language": language.peek() })

const read = async (response: Response): Promise<unknown> => {
  const bytes = await response.arrayBuffer()
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

const fieldOf = (value: unknown, field: string): unknown =>
  typeof value === "object" && value !== null
    ? Object.entries(value).find(([name]) => name === field)?.[1]
    : undefined

const textIn = (value: unknown, field: string): string | undefined => {
  const found = fieldOf(value, field)
  return typeof found === "string" ? found : undefined
}

/** The number of refusals so far. After each, the signed-in person may have another role, or may have left a club. */
export const refusals = signal(0)

/** A refusal of the session itself does not count: reading it again would be refused again, without end. */
const isRefusal = (url: string, { status }: Response) => (status === 403 || status === 404) && url.includes("/clubs/")

/** True if the session is missing. A wrong password has the same status. */
const endsSession = async (response: Response) =>
  response.status === 401 && textIn(fieldOf(await read(response.clone()), "error"), "code") === endedCode

const watched: Fetch = async (url, init) => {
  const asked = sessions
  try {
    const response = (init.method === "GET" ? await takeEarly(String(url)) : undefined) ?? await fetch(url, {
      ...init,
      headers: { ...init.headers, ...ownHeaders() },
      credentials: "same-origin"
    })
    isOnline.value = true
    if (isRefusal(String(url), response)) refusals.value++
    learnTime(response.headers.get("date"))
    if (await endsSession(response) && asked === sessions) session.value = "closed"
    return response
  } catch (error) {
    if (!init.signal.aborted) isOnline.value = false
    throw error
  }
}

/** The API, for the person of this browser's cookie. */
export const turma = createTurma({ baseUrl: `${location.origin}${site.exchange}/api`, fetch: watched, retries: 1 })

/** Sends something to the API even if the person leaves the page at once. Nobody learns of its answer. */
export const sendLast = (method: "POST" | "PUT", path: string, body: object): void => {
  const headers = { ...ownHeaders(), "content-type": "application/json" }
  const address = `${site.exchange}/api${path}`
  fetch(address, { method, headers, body: JSON.stringify(body), credentials: "same-origin", keepalive: true }).then(
    () => {},
    () => {}
  )
}

/** Asks a route of the page's own server, outside the API. Failures are `TurmaError`s, as with the API. */
export const askExchange = async (method: "GET" | "POST" | "DELETE", path: string, body?: object): Promise<unknown> => {
  const response = await fetch(`${site.exchange}/${path}`, {
    method,
    headers: { ...ownHeaders(), ...(body === undefined ? {} : { "content-type": "application/json" }) },
    credentials: "same-origin",
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  }).catch(() => {
    throw new TurmaConnectionError(said(words).unreached)
  })
  const answer = await read(response)
  if (response.ok) return answer
  const refusal = fieldOf(answer, "error")
  throw new TurmaError({
    status: response.status,
    code: textIn(refusal, "code") ?? "unexpected_answer",
    message: textIn(refusal, "message") ?? `Status ${response.status}`,
    requestId: response.headers.get("x-request-id") ?? undefined,
    retryAfter: undefined
  })
}
