import { Effect } from "effect"
import { subscribe, unsubscribe } from "node:diagnostics_channel"

const counted = (channel: string) =>
  Effect.gen(function*() {
    const waiting: Array<() => void> = []
    let count = 0
    const onMessage = () => {
      count++
      for (const tell of waiting.splice(0)) tell()
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => subscribe(channel, onMessage)),
      () => Effect.sync(() => unsubscribe(channel, onMessage))
    )
    const reached = (least: number): Effect.Effect<void> =>
      Effect.suspend(() =>
        count >= least
          ? Effect.void
          : Effect.flatMap(
            Effect.callback<void>((resume) => void waiting.push(() => resume(Effect.void))),
            () => reached(least)
          )
      )
    return { count: () => count, reached }
  })

/** Counts the connections that this process begins, refused or not: each is one TCP SYN. */
export const countDials = counted("net.client.socket")

/** Counts the requests that the sender has begun to write. */
export const countRequests = counted("undici:client:sendHeaders")

/** Counts the heads of answers that the sender has read. */
export const countHeads = counted("undici:request:headers")
