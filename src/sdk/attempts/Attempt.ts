import { TurmaConnectionError, TurmaError, TurmaTimeoutError } from "../errors/TurmaError.ts"

/** The longest that a timer can wait: more would end at once. */
const longestWait = 2 ** 31 - 1

/** One attempt. Its time or the caller ends it, and `close` stops its timer. */
export interface Attempt {
  /** Ends what it is handed to. */
  readonly signal: AbortSignal
  /**
   * Waits for this as long as the attempt lasts. It fails with the caller's own reason, a `TurmaError` of the work, the
   * time, or else the connection.
   */
  readonly during: <A>(work: () => Promise<A>) => Promise<A>
  /** Gives the attempt this much time from now. */
  readonly allow: (milliseconds: number) => void
  /** Stops the clock: the caller may read as slowly as it likes. */
  readonly pause: () => void
  /** Ends what is still under way, and lets go of timer and signal. */
  readonly close: () => void
}

const codeOf = (error: Error): string => {
  const { cause } = error
  if (!(cause instanceof Error)) return ""
  return "code" in cause && typeof cause.code === "string" ? ` (${cause.code})` : ` (${cause.message})`
}

// Of what `fetch` throws the words alone are passed on: what hangs on it is whatever that `fetch` puts there.
const wordsOf = (thrown: unknown) => thrown instanceof Error ? `${thrown.message}${codeOf(thrown)}` : "no reason given"

/** Waits for this until the signal ends it with its reason. Nothing of the wait stays at the signal. */
export const unlessAborted = async <A>(signal: AbortSignal | undefined, work: () => Promise<A>): Promise<A> => {
  signal?.throwIfAborted()
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal?.reason)
  })
  signal?.addEventListener("abort", abort)
  try {
    return await Promise.race([work(), aborted])
  } finally {
    signal?.removeEventListener("abort", abort)
  }
}

/** Begins an attempt. Messages of its failures leave out the text `hidden`. */
export const beginAttempt = (caller: AbortSignal | undefined, hidden: string | undefined): Attempt => {
  caller?.throwIfAborted()
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let late: TurmaTimeoutError | undefined
  const abort = () => controller.abort(caller?.reason)
  caller?.addEventListener("abort", abort)
  const failureOf = (thrown: unknown) => {
    if (caller?.aborted === true) return caller.reason
    if (thrown instanceof TurmaError) return thrown
    if (late !== undefined) return late
    const words = `The connection failed: ${wordsOf(thrown)}`
    return new TurmaConnectionError(hidden === undefined ? words : words.replaceAll(hidden, "…"))
  }
  return {
    signal: controller.signal,
    during: async (work) => {
      try {
        return await unlessAborted(controller.signal, work)
      } catch (thrown) {
        throw failureOf(thrown)
      }
    },
    allow: (milliseconds) => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        late = new TurmaTimeoutError(milliseconds)
        controller.abort(late)
      }, Math.min(milliseconds, longestWait))
    },
    pause: () => clearTimeout(timer),
    close: () => {
      clearTimeout(timer)
      caller?.removeEventListener("abort", abort)
      controller.abort()
    }
  }
}

/** Waits this long, unless the signal ends it with its reason. */
export const sleep = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort)
      resolve()
    }, Math.min(milliseconds, longestWait))
    signal?.addEventListener("abort", abort, { once: true })
  })
