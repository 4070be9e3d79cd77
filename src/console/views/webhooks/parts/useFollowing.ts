import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { session } from "../../../../browser/client/Api.ts"
import { isVisible } from "../../../../browser/client/Interval.ts"
import { sleep } from "../../../../browser/client/Sleep.ts"
import { isWithdrawn } from "../../../../browser/client/Withdrawn.ts"

/** The ways to hear of changes: by a stream, by repeated requests, or not at all. */
export type Following = "asking" | "following" | "resting"

/** The source to follow. */
export interface Source<A> {
  /** The changes, one by one. Undefined after the last one for a while. It may say that it is open before the first. */
  readonly stream: (signal: AbortSignal, opened: () => void) => AsyncIterable<A | undefined>
  /** The newest items, for a time without a stream. */
  readonly page: (signal: AbortSignal) => Promise<ReadonlyArray<A>>
}

/** Changes that come together are shown together, after a pause of this many milliseconds. */
const together = 60

/**
 * Without a stream: the pause between two requests, in milliseconds, and their number before another try of the stream.
 */
const askEvery = 5000
const asksBeforeTrying = 12

interface Teller<A> {
  /** Gets the changes that came together. */
  readonly hear: (items: ReadonlyArray<A>) => void
  readonly turn: (following: Following) => void
}

/** Hears the stream until it ends for good, and says why it did. */
const hearStream = async <A>(source: Source<A>, { hear, turn }: Teller<A>, signal: AbortSignal): Promise<unknown> => {
  let heard: Array<A> = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    const all = heard
    heard = []
    if (all.length > 0 && !signal.aborted) hear(all)
  }
  try {
    for await (const item of source.stream(signal, () => turn("following"))) {
      turn("following")
      clearTimeout(timer)
      if (item === undefined) flush()
      else {
        heard.push(item)
        timer = setTimeout(flush, together)
      }
    }
    return undefined
  } catch (thrown) {
    return thrown
  } finally {
    flush()
  }
}

/** A page now and then, so often, unless it is refused: says why the last had no answer. */
const ask = async <A>(source: Source<A>, teller: Teller<A>, signal: AbortSignal, times: number): Promise<unknown> => {
  await sleep(askEvery, signal)
  if (signal.aborted) return undefined
  let failure: unknown
  try {
    const page = await source.page(signal)
    if (!signal.aborted) teller.hear(page)
  } catch (thrown) {
    failure = thrown
  }
  return times > 1 && !isWithdrawn(failure) ? ask(source, teller, signal, times - 1) : failure
}

/** Hears the stream. Without one it asks for a while and then tries again, until it is refused. */
const follow = async <A>(source: Source<A>, teller: Teller<A>, signal: AbortSignal): Promise<void> => {
  let failure = await hearStream(source, teller, signal)
  if (signal.aborted) return
  if (!isWithdrawn(failure)) {
    teller.turn("asking")
    failure = await ask(source, teller, signal, asksBeforeTrying)
  }
  if (signal.aborted) return
  if (isWithdrawn(failure)) teller.turn("resting")
  else void follow(source, teller, signal)
}

/** Hears the changes of a source while the page is visible. Hears nothing while the key is undefined. */
export const useFollowing = <A>(
  key: string | undefined,
  source: Source<A>,
  hear: (items: ReadonlyArray<A>) => void
): Following => {
  const following = useSignal<Following>("resting")
  const latest = useRef(hear)
  latest.current = hear
  const isFollowed = key !== undefined && isVisible.value && session.value !== "closed"
  useEffect(() => {
    if (!isFollowed) return undefined
    const controller = new AbortController()
    const teller: Teller<A> = {
      hear: (items) => latest.current(items),
      turn: (next) => {
        if (!controller.signal.aborted) following.value = next
      }
    }
    void follow(source, teller, controller.signal)
    return () => {
      controller.abort()
      following.value = "resting"
    }
  }, [key, isFollowed])
  return following.value
}
