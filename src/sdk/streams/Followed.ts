import { beginAttempt, sleep } from "../attempts/Attempt.ts"
import { type Exchange, initOf, isSuccess, refusalOf, tell, unexpected } from "../attempts/Exchange.ts"
import { isTransient, waitAfter } from "../attempts/Retries.ts"
import { TurmaConnectionError, TurmaError } from "../errors/TurmaError.ts"
import { eventParser, type RawEvent } from "./EventParser.ts"

/** An event with its data parsed. */
export interface AnyEvent {
  readonly id?: string
  readonly event: string
  readonly data: unknown
}

const withData = ({ data, event, id }: RawEvent): AnyEvent => {
  try {
    return { ...(id === undefined ? {} : { id }), event, data: JSON.parse(data) }
  } catch {
    throw new TurmaError({ code: "unexpected_answer", message: `The data of the event ${event} are not JSON` })
  }
}

/** True if the stream ends with it. */
const isLast = ({ event }: AnyEvent) => /\.(?:completed|failed|canceled)$/.test(event)

/** The events of one connection, which ends with the iteration. */
async function* connected(exchange: Exchange, last: string | undefined, number: number) {
  const { bounds, fetch, headers, signal, token, url } = exchange
  const attempt = beginAttempt(signal, token)
  attempt.allow(bounds.timeout)
  const resumed = last === undefined ? headers : { ...headers, "last-event-id": last }
  let leave = async () => {}
  try {
    const response = await attempt.during(() => fetch(url, initOf({ ...exchange, headers: resumed }, attempt.signal)))
    tell(exchange, response, number)
    if (!isSuccess(response)) throw await attempt.during(() => refusalOf(response))
    const type = response.headers.get("content-type") ?? ""
    if (response.body === null || !/^text\/event-stream\b/i.test(type)) throw unexpected(response, "a stream of events")
    const reader = response.body.getReader()
    leave = () => reader.cancel()
    const parse = eventParser()
    for (;;) {
      attempt.allow(bounds.timeout)
      const { done, value } = await attempt.during(() => reader.read())
      if (done || value === undefined) return
      attempt.pause()
      for (const raw of parse(value)) {
        // Several may have come at once, and a caller that has aborted wants no further event.
        signal?.throwIfAborted()
        yield withData(raw)
      }
    }
  } finally {
    // Ends the connection, wherever the stream is, also where `fetch` takes no notice of its signal.
    attempt.close()
    leave().catch(() => undefined)
  }
}

/**
 * The events of a stream until its last. If a connection ends early, a new one goes on from the last event, unless too
 * many in a row bring nothing new.
 */
export async function* followed(exchange: Exchange, lastEventId: string | undefined): AsyncGenerator<AnyEvent> {
  const { bounds, signal } = exchange
  let last = lastEventId
  let failures = 0
  for (let number = 1;; number++) {
    let failure: unknown = new TurmaConnectionError("The stream ended before the answer did")
    try {
      for await (const event of connected(exchange, last, number)) {
        if (event.id !== undefined && event.id !== last) failures = 0
        last = event.id ?? last
        yield event
        if (isLast(event)) return
      }
    } catch (thrown) {
      failure = thrown
    }
    if (failures >= bounds.retries || !isTransient(failure)) throw failure
    const wait = waitAfter(failures, failure)
    if (wait >= bounds.totalTimeout) throw failure
    failures++
    await sleep(wait, signal)
  }
}
