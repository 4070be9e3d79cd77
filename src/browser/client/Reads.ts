import { type Signal, signal } from "@preact/signals"
import { useLayoutEffect } from "preact/hooks"
import { TurmaError } from "../../sdk/index.ts"
import { type CachedRead, makeReadCache } from "./ReadCache.ts"
import { makeRecovery, type Recovery } from "./Recovery.ts"
import { ownCode } from "./Refusals.ts"
import { isWithdrawn } from "./Withdrawn.ts"

export { changed, changedHere } from "./ReadCache.ts"

/** The known result of a request. */
interface Known<A> {
  readonly data: A | undefined
  readonly error: TurmaError | undefined
  readonly isLoading: boolean
}

/** A read of the API in a component. */
export interface Read<A> extends Known<A> {
  /** Asks again, unless it is being asked; what is known stays until the answer. After a write it is `changed`. */
  readonly reload: () => void
}

interface Entry extends CachedRead {
  readonly state: Signal<Known<unknown>>
  load: (signal: AbortSignal) => Promise<unknown>
  running: AbortController | undefined
  readers: number
  readonly recovery: Recovery
}

/** Number of unused answers that stay in memory, for a reader who goes back. */
const mostKept = 100

const entries = makeReadCache<Entry>(mostKept)

/** Any thrown value, as a failure that the page can show. */
export const failureOf = (thrown: unknown): TurmaError =>
  thrown instanceof TurmaError
    ? thrown
    : new TurmaError({ code: ownCode, message: thrown instanceof Error ? thrown.message : String(thrown) })

const nothing: Known<unknown> = { data: undefined, error: undefined, isLoading: true }

const stop = (entry: Entry) => {
  entry.running?.abort()
  entry.running = undefined
}

const refresh = async (entry: Entry) => {
  stop(entry)
  const running = new AbortController()
  entry.running = running
  entry.state.value = { ...entry.state.peek(), isLoading: true }
  try {
    const data = await entry.load(running.signal)
    if (running.signal.aborted) return
    entry.state.value = { data, error: undefined, isLoading: false }
    entry.recovery.worked()
  } catch (thrown) {
    if (running.signal.aborted) return
    const error = failureOf(thrown)
    entry.state.value = { data: isWithdrawn(error) ? undefined : entry.state.peek().data, error, isLoading: false }
    entry.recovery.failed(error)
  } finally {
    if (entry.running === running) entry.running = undefined
  }
}

const make = (load: Entry["load"]): Entry => {
  const entry: Entry = {
    state: signal(nothing),
    load,
    running: undefined,
    readers: 0,
    survivesChanges: false,
    isUsed: () => entry.readers > 0,
    isRunning: () => entry.running !== undefined,
    isRefused: () => entry.state.peek().error?.status === 401,
    refresh: () => void refresh(entry),
    clear: () => {
      stop(entry)
      entry.state.value = nothing
    },
    recovery: makeRecovery(() => {
      if (entry.readers > 0 && entry.running === undefined) void refresh(entry)
    })
  }
  return entry
}

const entryOf = (key: string, load: Entry["load"], shown?: Entry): Entry => {
  const entry = entries.take(key, () => make(load), shown)
  entry.load = load
  return entry
}

/**
 * Reads, and tells what is known: at once what was known of the same key, then what the API answers. Asked again when the
 * page is looked at again, after `changed`, and after a failure that may pass. The key names the request: `${club}/webhook-endpoints`. Nothing is read
 * while it is undefined.
 */
export function useRead<A>(key: string | undefined, load: (signal: AbortSignal) => Promise<A>): Read<A>
// The entry of a key comes from the `load` of the same key.
export function useRead(key: string | undefined, load: (signal: AbortSignal) => Promise<unknown>): Read<unknown> {
  const entry = key === undefined ? undefined : entryOf(key, load)
  // An effect of the layout runs before the next page appears, so the reads of the last page have no reader by then.
  useLayoutEffect(() => {
    if (key === undefined) return undefined
    // The data on the page stays the known one, even if its shelf has forgotten it since.
    const used = entryOf(key, load, entry)
    used.readers++
    // Several readers of the same ask once.
    if (used.running === undefined) void refresh(used)
    return () => {
      used.readers--
      if (used.readers === 0) stop(used)
    }
  }, [key])
  const known = entry?.state.value ?? { data: undefined, error: undefined, isLoading: false }
  // A reader that asks again and again waits for the running answer.
  return { ...known, reload: () => void (entry !== undefined && entry.running === undefined && refresh(entry)) }
}
