import { type Signal, signal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { TurmaError } from "../../sdk/index.ts"
import { session } from "./Api.ts"
import { ownCode } from "./Refusals.ts"
import { tabSubject } from "./Tabs.ts"

/** What is known of something that was asked for. */
export interface Known<A> {
  readonly data: A | undefined
  readonly error: TurmaError | undefined
  readonly isLoading: boolean
}

/** A read of the API in a component. */
export interface Read<A> extends Known<A> {
  /** Asks again, unless it is being asked; what is known stays until the answer. After a write it is `changed`. */
  readonly reload: () => void
}

interface Entry {
  readonly state: Signal<Known<unknown>>
  load: (signal: AbortSignal) => Promise<unknown>
  running: AbortController | undefined
  readers: number
}

/** How many answers that nobody looks at are kept, for whoever goes back. */
const mostKept = 100

const entries = new Map<string, Entry>()

const forget = () => {
  for (const [key, { readers }] of entries) {
    if (entries.size <= mostKept) return
    if (readers === 0) entries.delete(key)
  }
}

/** What anybody may have thrown, as a failure that can be shown. */
export const failureOf = (thrown: unknown): TurmaError =>
  thrown instanceof TurmaError
    ? thrown
    : new TurmaError({ code: ownCode, message: thrown instanceof Error ? thrown.message : String(thrown) })

const nothing: Known<unknown> = { data: undefined, error: undefined, isLoading: true }

const stop = (entry: Entry) => {
  entry.running?.abort()
  entry.running = undefined
}

/** What was known is not for whoever asks now, or not there any more. */
const isWithdrawn = ({ status }: TurmaError) => status === 403 || status === 404

const refresh = async (entry: Entry) => {
  stop(entry)
  const running = new AbortController()
  entry.running = running
  entry.state.value = { ...entry.state.peek(), isLoading: true }
  try {
    const data = await entry.load(running.signal)
    if (!running.signal.aborted) entry.state.value = { data, error: undefined, isLoading: false }
  } catch (thrown) {
    if (running.signal.aborted) return
    const error = failureOf(thrown)
    entry.state.value = { data: isWithdrawn(error) ? undefined : entry.state.peek().data, error, isLoading: false }
  } finally {
    if (entry.running === running) entry.running = undefined
  }
}

const entryOf = (key: string, load: Entry["load"], shown?: Entry): Entry => {
  const known = entries.get(key) ?? shown
  if (known !== undefined) {
    // The last that was used stands last.
    entries.delete(key)
    entries.set(key, known)
    known.load = load
    return known
  }
  const made: Entry = {
    state: signal(nothing),
    load,
    running: undefined,
    readers: 0
  }
  entries.set(key, made)
  forget()
  return made
}

/**
 * Reads, and tells what is known: at once what was known of the same key, then what the API answers. Asked again when the
 * page is looked at again, and after `changed`. The key names the request: `${club}/webhook-endpoints`. Nothing is read
 * while it is undefined.
 */
export function useRead<A>(key: string | undefined, load: (signal: AbortSignal) => Promise<A>): Read<A>
// What a key has was made by the `load` of the same key.
export function useRead(key: string | undefined, load: (signal: AbortSignal) => Promise<unknown>): Read<unknown> {
  const entry = key === undefined ? undefined : entryOf(key, load)
  useEffect(() => {
    if (key === undefined) return undefined
    // What is shown stays what is known, though it may have been forgotten in between.
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
  // Who asks again and again asks no more often than there are answers.
  return { ...known, reload: () => void (entry !== undefined && entry.running === undefined && refresh(entry)) }
}

/** Something below these keys was changed: what is looked at is read anew, the rest when it is looked at. */
export const changed = (...prefixes: ReadonlyArray<string>): void => {
  for (const [key, entry] of entries) {
    if (!prefixes.some((prefix) => key.startsWith(prefix))) continue
    if (entry.readers > 0) void refresh(entry)
    else entries.delete(key)
  }
  tabs.tell(prefixes)
}

/** Forgets everything, since somebody else is here now: what is looked at is asked for anew. */
export const forgetAll = (): void => {
  for (const [key, entry] of entries) {
    stop(entry)
    entry.state.value = nothing
    if (entry.readers === 0) entries.delete(key)
    else if (session.peek() === "open") void refresh(entry)
  }
}

const refreshRead = () => {
  if (document.visibilityState !== "visible" || session.peek() === "closed") return
  for (const entry of entries.values()) if (entry.readers > 0) void refresh(entry)
}

// What was refused since the session had ended is asked again in the next.
session.subscribe((now) => {
  if (now !== "open") return
  for (const entry of entries.values()) {
    if (entry.readers > 0 && entry.state.peek().error?.status === 401) void refresh(entry)
  }
})

document.addEventListener("visibilitychange", refreshRead)
addEventListener("online", refreshRead)

/** What another tab has changed. */
const tabs = tabSubject("changed", (prefixes) => {
  for (const [key, entry] of entries) {
    if (prefixes.some((prefix) => key.startsWith(prefix)) && entry.readers > 0) void refresh(entry)
  }
})
