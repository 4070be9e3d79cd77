import { Clock, DateTime, Duration, Effect, FiberSet, Option, Redacted, Result, Semaphore } from "effect"
import type { HttpClient } from "effect/http"
import { makeSignal } from "../../../platform/jobs/Signal.ts"
import { type ListenerResult, mostDeliveries } from "../../../webhooks/listener/Listener.ts"
import type { EndpointId } from "../../../webhooks/model/EndpointId.ts"
import { verifySignature } from "../../../webhooks/send/Signature.ts"
import type { CommandFailure, QuietEnd } from "../../errors/CommandFailure.ts"
import type { UsageError } from "../../errors/UsageError.ts"
import { verdictOf } from "../Verdict.ts"
import { forwardOne } from "./forwardOne.ts"
import type { ForwardOutput } from "./ForwardOutput.ts"
import type { ListenerState } from "./ListenerState.ts"
import { leftOf, paceOf, restOf } from "./pace.ts"
import { PendingResults } from "./PendingResults.ts"
import { untilItAnswers } from "./untilItAnswers.ts"
import { type Allowance, type HandedOut, isTakenOver, type Refused, type Upstream } from "./Upstream.ts"

/** Deliveries that are forwarded side by side. */
const concurrency = 10

/** A poll that was answered with nothing before this had waited for nothing: the next one comes a little later. */
const tooSoon = Duration.seconds(1)
const rest = Duration.millis(200)

/** After so many losses in a row, although this command is the latest, another one has a copy of its file. */
const mostTakeovers = 5

/** A listener, and where what it gets goes. */
export interface Listening {
  readonly id: EndpointId
  readonly secret: Redacted.Redacted<Uint8Array>
  readonly target: string
  /**
   * For the target, with a connection for each delivery. So no delivery meets a connection that the target has just
   * closed.
   */
  readonly http: HttpClient.HttpClient
  /** Results of the process before, which it may not have told. */
  readonly unrecorded: ReadonlyArray<ListenerResult>
  readonly upstream: Upstream
  readonly listenerState: ListenerState
  readonly output: ForwardOutput
}

/** Forwards what a listener gets. */
export interface Forwarder {
  /**
   * Polls and forwards until it is interrupted, until the service refuses it for good, or until a result cannot be
   * stored or printed. Deliveries in progress then go on.
   */
  readonly run: Effect.Effect<never, CommandFailure | Refused | UsageError | QuietEnd>
  /** Waits for what runs. */
  readonly settled: Effect.Effect<void>
  /** Reports the remaining results. */
  readonly recordRest: Effect.Effect<void, CommandFailure | Refused | UsageError | QuietEnd>
}

/** Starts nothing by itself. Its deliveries run until the scope closes. */
export const makeForwarder = Effect.fnUntraced(function*(
  { http, id, listenerState, secret, target, output, unrecorded, upstream }: Listening
) {
  const pendingResults = new PendingResults(unrecorded)
  const slots = yield* Semaphore.make(concurrency)
  const forks = yield* FiberSet.make<void, CommandFailure | UsageError | QuietEnd>()
  const fork = yield* FiberSet.runtime(forks)<never>()
  const made = yield* makeSignal
  const recorded = yield* makeSignal
  let allowance = Option.none<Allowance>()
  let allowedAt = 0
  let takeovers = 0

  const verify = Effect.fnUntraced(function*({ body, headers }: HandedOut) {
    const { "webhook-id": id, "webhook-signature": signature, "webhook-timestamp": timestamp } = headers
    const received = { id, signature, timestamp, body: Buffer.from(body), now: yield* DateTime.now }
    return verifySignature({ ...received, secrets: [Redacted.value(secret)] })
  })

  // One that is not verified is not forwarded: it is tried again, like all that fails.
  const handle = Effect.fnUntraced(function*(handed: HandedOut) {
    const { delivery_id, receipt } = handed
    const verified = yield* verify(handed)
    const result: ListenerResult = Result.isSuccess(verified)
      ? yield* forwardOne(http, target, handed)
      : { delivery_id, receipt, status_code: null, error: "protocol", duration_ms: 0 }
    // In memory first: if the journal has no room, the result is still reported at the end. Otherwise the journal has
    // it, whatever ends this process from here on.
    pendingResults.made(result)
    yield* listenerState.journal.add(result)
    yield* made.notify
    yield* output.delivery(handed, result, verdictOf(verified))
  })

  const takeAll = (handed: ReadonlyArray<HandedOut>) => {
    const taken = handed.filter(({ delivery_id, receipt }) => pendingResults.take(delivery_id, receipt))
    for (const one of taken) fork(slots.withPermit(handle(one)))
    return taken.length
  }

  // The service may have heard late that a poll of ours was broken off, and think of two commands. Where there really are
  // two with one file, the earlier one gives way.
  const orPlaceTaken = Effect.fnUntraced(function*(refused: Refused) {
    takeovers += 1
    const isOurs = isTakenOver(refused) && takeovers <= mostTakeovers && (yield* listenerState.isLatest)
    return isOurs ? [] : yield* refused
  })

  const pollOnce = Effect.suspend(() =>
    untilItAnswers(upstream.poll(id, { limit: pendingResults.room, except: pendingResults.inFlight }), output)
  )
    .pipe(
      Effect.tap(() => Effect.sync(() => (takeovers = 0))),
      Effect.catchTag("Refused", orPlaceTaken)
    )

  const poll = Effect.gen(function*() {
    if (pendingResults.room === 0) return yield* recorded.next
    const [took, handed] = yield* Effect.timed(pollOnce)
    if (takeAll(handed) === 0 && Duration.isLessThan(took, tooSoon)) yield* Effect.sleep(rest)
  })

  const seconds = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos / 1_000_000_000n))

  const recordBatch = Effect.gen(function*() {
    const batch = pendingResults.unrecorded.slice(0, mostDeliveries)
    if (batch.length === 0) return
    allowance = yield* untilItAnswers(upstream.record(id, batch), output)
    allowedAt = yield* seconds
    pendingResults.recorded(batch)
    // The journal of a later command stays as it is: its results are stored nowhere else.
    if (yield* listenerState.isLatest) yield* listenerState.journal.keep(pendingResults.unrecorded)
    yield* recorded.notify
  })

  /** Until the pace is over, or no delivery fits until a result is reported. */
  const gather = (left: Option.Option<Allowance>) =>
    Effect.raceFirst(
      Effect.sleep(paceOf(left)),
      Effect.repeat(made.next, { until: () => pendingResults.isFull })
    )

  const recordNext = Effect.gen(function*() {
    if (pendingResults.unrecorded.length === 0) yield* made.next
    const left = leftOf(allowance, (yield* seconds) - allowedAt)
    if (!pendingResults.isFull) yield* gather(left)
    yield* Effect.sleep(pendingResults.isFull ? restOf(left) : Duration.zero)
    yield* recordBatch
  })

  const forwarder: Forwarder = {
    run: Effect.raceAllFirst([
      Effect.forever(poll),
      Effect.forever(recordNext),
      Effect.andThen(FiberSet.join(forks), Effect.never)
    ]),
    settled: FiberSet.awaitEmpty(forks),
    recordRest: Effect.whileLoop({
      while: () => pendingResults.unrecorded.length > 0,
      body: () => recordBatch,
      step: () => {}
    })
  }
  return forwarder
})
