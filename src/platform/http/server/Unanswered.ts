import { Context, Effect } from "effect"
import type { ServerResponse } from "node:http"
import type { Waits } from "../request/OutsideWaits.ts"

/** Between two looks, in milliseconds. */
const interval = 500

/**
 * After this many looks in a row without an answer, which take 12 seconds, the request gets the 503. So no request
 * waits for the database longer than 15 seconds. Waits for other services have limits of their own.
 */
const patience = 24

interface Waiting {
  readonly response: ServerResponse
  /** Answers in place of the handler, and interrupts it. */
  readonly giveUp: () => void
  readonly outside: Waits
  looks: number
}

/** True if the handler reads a body that is still arriving. It then waits for the client, and Node limits that time. */
const awaitsClient = ({ req }: ServerResponse) =>
  !req.complete && (req.readableFlowing === true || req.listenerCount("readable") > 0)

const make = () => {
  const all = new Set<Waiting>()
  const giveUp = (waiting: Waiting) => {
    all.delete(waiting)
    if (!waiting.response.headersSent && !waiting.response.destroyed) waiting.giveUp()
  }
  const look = (waiting: Waiting) => {
    waiting.looks = waiting.outside.count > 0 || awaitsClient(waiting.response) ? 0 : waiting.looks + 1
    if (waiting.response.destroyed || waiting.looks >= patience) giveUp(waiting)
  }
  return {
    /** Adds a request; call what it returns once the answer is there or not wanted. `outside` counts waits for others. */
    enter: (response: ServerResponse, outside: Waits, giveUp: () => void): () => void => {
      const waiting: Waiting = { response, outside, giveUp, looks: 0 }
      all.add(waiting)
      return () => void all.delete(waiting)
    },
    /** Gives up on all that are without an answer. */
    giveUpAll: () => all.forEach(giveUp),
    /** Looks for those that wait for too long, until the scope closes. */
    watch: Effect.asVoid(Effect.acquireRelease(
      Effect.sync(() => setInterval(() => all.forEach(look), interval).unref()),
      (timer) => Effect.sync(() => clearInterval(timer))
    ))
  }
}

/** The requests of this process that have no answer yet. An answer that has begun, such as a stream, does not count. */
export const Unanswered = Context.Reference<ReturnType<typeof make>>("turma/platform/http/server/Unanswered", {
  defaultValue: make
})
