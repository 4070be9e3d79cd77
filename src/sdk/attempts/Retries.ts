import { TurmaConnectionError, TurmaError, TurmaTimeoutError } from "../errors/TurmaError.ts"
import { sleep } from "./Attempt.ts"
import { parseHttpDate, steadyClock, wallClock } from "./Clock.ts"

/** The bounds of a call. Times are milliseconds. */
export interface Bounds {
  readonly retries: number
  readonly timeout: number
  readonly totalTimeout: number
}

const firstWait = 500
const longestBackOff = 8000

const transientStatuses = new Set([408, 429, 500, 502, 503, 504])

/** True if the same request may succeed later. A key whose first request still runs will have its answer in a moment. */
export const isTransient = (failure: unknown): failure is TurmaError =>
  failure instanceof TurmaConnectionError || failure instanceof TurmaTimeoutError ||
  (failure instanceof TurmaError && failure.code !== "redirected" &&
    (transientStatuses.has(failure.status ?? 0) || failure.code === "idempotency_in_progress"))

/** A random number from 0 to 1. */
const random = () => {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1))
  return number / 2 ** 32
}

/** How long to wait before another attempt: anything up to a bound that doubles, and what the service asks for at least. */
export const waitAfter = (failures: number, { retryAfter = 0 }: TurmaError): number =>
  Math.max(random() * Math.min(longestBackOff, firstWait * 2 ** failures), retryAfter * 1000)

/** The seconds that `Retry-After` asks for, whether it says a number or a moment. */
export const parseRetryAfter = (text: string | null): number | undefined => {
  if (text === null) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const moment = parseHttpDate(text)
  return Number.isNaN(moment) ? undefined : Math.max(0, Math.ceil((moment - wallClock()) / 1000))
}

/** Tries until it succeeds, fails for good, or reaches a bound. Then it throws the last failure. */
export const withRetries = async <A>(
  bounds: Bounds,
  signal: AbortSignal | undefined,
  attempt: (milliseconds: number, number: number) => Promise<A>
): Promise<A> => {
  const start = steadyClock()
  const left = () => bounds.totalTimeout - (steadyClock() - start)
  for (let failures = 0;; failures++) {
    try {
      return await attempt(Math.min(bounds.timeout, Math.max(left(), 1)), failures + 1)
    } catch (failure) {
      if (failures >= bounds.retries || !isTransient(failure)) throw failure
      const wait = waitAfter(failures, failure)
      if (wait >= left()) throw failure
      await sleep(wait, signal)
    }
  }
}
