import { Clock, DateTime, Effect, Metric } from "effect"
import { SecureRandom } from "effect/crypto"
import { EventId } from "../../../events/EventType.ts"
import type { SendResult } from "../../send/Sender.ts"
import type { Signers } from "../../send/Signature.ts"
import { keyOfSeed } from "../../send/SigningKey.ts"
import { type Ground, isRotating, type Probe, probeOf } from "./Probe.ts"
import { probeNames } from "./ProbeName.ts"
import type { Observation } from "./Report.ts"

const sent = Metric.counter("turma_webhook_probes_total", {
  description: "Probes of gradings that were sent to receivers",
  incremental: true
})

const secretBytes = 32

/** Secrets and keys like these, but other ones. */
const strangerTo = Effect.fnUntraced(function*({ keys, secrets }: Signers) {
  const random = yield* SecureRandom.SecureRandom
  const bytes = yield* Effect.orDie(random.randomBytes(secretBytes))
  return { secrets: secrets.length > 0 ? [bytes] : [], keys: keys.length > 0 ? [keyOfSeed(bytes)] : [] }
})

/** The answer to one probe. */
export type Heard =
  & Pick<SendResult, "connection_reused" | "error" | "response_body" | "status_code">
  & { readonly seen: boolean | null }

/** If the first have no answer, the others are not sent: they would wait for nothing. */
const silenceEnough = 2

/** Nor where so many in a row were not answered in time: a grading is not to take a worker for longer. */
const timeoutsEnough = 4

const isHopeless = (observations: ReadonlyArray<Observation>): boolean =>
  (observations.length === silenceEnough && observations.every(({ status_code }) => status_code === null)) ||
  (observations.length >= timeoutsEnough &&
    observations.slice(-timeoutsEnough).every(({ error, status_code }) => error === "timeout" && status_code === null))

/**
 * Sends all probes one after the other. `send` sends one; `between` runs before each. A failure of either ends the grading.
 */
export const runProbes = Effect.fn("runProbes")(function*<F, E = never>(
  ground: Omit<Ground, "stranger">,
  send: (probe: Probe) => Effect.Effect<Heard, F>,
  between: Effect.Effect<void, E> = Effect.void
) {
  const random = yield* SecureRandom.SecureRandom
  const stranger = yield* strangerTo(ground.signers)
  const newId = Effect.map(Effect.orDie(random.uuidV7()), (id) => EventId.make(id))
  const first = yield* newId
  const observations: Array<Observation> = []
  const names = isRotating(ground.signers) ? probeNames : probeNames.filter((name) => name !== "newest_alone")
  for (const name of names) {
    if (isHopeless(observations)) break
    yield* between
    const event_id = name === "right" || name === "repeated" ? first : yield* newId
    const probe = probeOf({ ...ground, stranger }, name, event_id, yield* DateTime.now)
    const begun = yield* Clock.monotonicTimeNanos
    yield* Metric.update(sent, 1)
    const heard = yield* send(probe)
    const duration_ms = Math.round(Number((yield* Clock.monotonicTimeNanos) - begun) / 1e6)
    observations.push({ probe: name, duration_ms, ...heard })
  }
  return observations
})
