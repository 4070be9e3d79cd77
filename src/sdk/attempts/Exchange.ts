import type { Received } from "../contract/Call.ts"
import { TurmaConnectionError, TurmaError } from "../errors/TurmaError.ts"
import { beginAttempt } from "./Attempt.ts"
import type { Fetch, FetchResponse } from "./Fetch.ts"
import { type Bounds, parseRetryAfter, withRetries } from "./Retries.ts"

/** A request that is ready to be sent, as often as it takes. */
export interface Exchange {
  readonly operation: string
  readonly fetch: Fetch
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
  readonly token: string | undefined
  /** True if a second run has the same result as one. */
  readonly repeatable: boolean
  readonly bounds: Bounds
  readonly signal: AbortSignal | undefined
  readonly onResponse: ((received: Received) => void) | undefined
}

/** The argument for `fetch`. */
export const initOf = ({ body, headers, method }: Exchange, signal: AbortSignal) => ({
  method,
  headers: { ...headers },
  redirect: "manual" as const,
  signal,
  ...(body === undefined ? {} : { body })
})

const known = ({ headers, status }: FetchResponse) => ({
  status,
  requestId: headers.get("x-request-id") ?? undefined,
  retryAfter: parseRetryAfter(headers.get("retry-after"))
})

const isRedirect = ({ status, type }: FetchResponse) => type === "opaqueredirect" || (status >= 300 && status < 400)

const contentType = ({ headers }: FetchResponse) =>
  headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? ""

/** Text that is not UTF-8 does not come from Turma. */
const textOf = async (response: FetchResponse): Promise<string | undefined> => {
  const bytes = await response.arrayBuffer()
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const parsed = (text: string | undefined): unknown => {
  try {
    return JSON.parse(text ?? "")
  } catch {
    return undefined
  }
}

const refusalIn = (value: unknown) => {
  const error = typeof value === "object" && value !== null && "error" in value ? value.error : undefined
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string" &&
      "message" in error && typeof error.message === "string"
    ? { code: error.code, message: error.message }
    : undefined
}

/** The fault of an answer that is not Turma's, such as the page of a proxy. */
export const unexpected = (response: FetchResponse, expected: string): TurmaError =>
  new TurmaError({
    ...known(response),
    code: "unexpected_answer",
    message: `Status ${response.status} came with ${contentType(response) || "no content type"} instead of ${expected}`
  })

/** The failure that an answer other than 2xx is. */
export const refusalOf = async (response: FetchResponse): Promise<TurmaError> => {
  if (response.status === 304) {
    return new TurmaError({ ...known(response), code: "not_modified", message: "It is as it was" })
  }
  if (isRedirect(response)) {
    const message =
      "The service redirects elsewhere, and nothing is sent there: check whether baseUrl is its own address"
    return new TurmaError({ ...known(response), status: response.status || undefined, code: "redirected", message })
  }
  const refusal = contentType(response) === "application/json" ? refusalIn(parsed(await textOf(response))) : undefined
  return refusal === undefined
    ? unexpected(response, "an error of Turma")
    : new TurmaError({ ...known(response), ...refusal })
}

/** True if an answer is a success. */
export const isSuccess = ({ status }: FetchResponse): boolean => status >= 200 && status < 300

const broken = (response: FetchResponse): never => {
  throw new TurmaConnectionError("The answer broke off", known(response))
}

/** The kinds of answers that are text and no JSON. */
const texts: ReadonlySet<string> = new Set(["text/csv", "text/calendar"])

const answerOf = async (response: FetchResponse): Promise<unknown> => {
  if (!isSuccess(response)) throw await refusalOf(response)
  if (response.status === 204) return undefined
  const type = contentType(response)
  if (texts.has(type)) return await textOf(response) ?? broken(response)
  if (type !== "application/json") throw unexpected(response, "JSON")
  const value = parsed(await textOf(response))
  return value === undefined ? broken(response) : value
}

/** Tells who wants to know of an answer. */
export const tell = ({ onResponse, operation }: Exchange, { headers, status }: FetchResponse, attempt: number): void =>
  onResponse?.({ operation, status, headers, attempt })

const once = async (exchange: Exchange, milliseconds: number, number: number): Promise<unknown> => {
  // Called as a function of its own: that of browsers refuses to be a method of something else.
  const { fetch, signal, token, url } = exchange
  const attempt = beginAttempt(signal, token)
  attempt.allow(milliseconds)
  try {
    const response = await attempt.during(() => fetch(url, initOf(exchange, attempt.signal)))
    tell(exchange, response, number)
    return await attempt.during(() => answerOf(response))
  } finally {
    attempt.close()
  }
}

/** Sends a request until it is answered, within its bounds. A request that cannot be repeated safely is sent once. */
export const exchanged = (exchange: Exchange): Promise<unknown> => {
  const bounds = exchange.repeatable ? exchange.bounds : { ...exchange.bounds, retries: 0 }
  return withRetries(bounds, exchange.signal, (milliseconds, number) => once(exchange, milliseconds, number))
}
