import { DateTime, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { afterAttempt } from "../../../src/webhooks/engine/dispatch/AfterAttempt.ts"
import { normalBreaker } from "../../../src/webhooks/engine/dispatch/Breaker.ts"
import { LanesRepo } from "../../../src/webhooks/engine/dispatch/LanesRepo.ts"
import type { ClaimedLane, TakenDelivery } from "../../../src/webhooks/engine/dispatch/Lease.ts"
import { AttemptId } from "../../../src/webhooks/model/WebhookDeliveryId.ts"

/** Attempts of a batch, shared evenly by its lanes. */
export const batch = 64

/** The phases of a batch, in this order. */
export const phases = ["claim", "take", "settle", "release"] as const
export type Phase = (typeof phases)[number]

const certificateEnd = DateTime.makeUnsafe("2027-01-01T00:00:00Z")

const settlementOf = Effect.fnUntraced(function*(
  { breaker_epoch, club_id, endpoint_id, lease_id }: ClaimedLane,
  delivery: TakenDelivery
) {
  const random = yield* SecureRandom.SecureRandom
  const now = yield* DateTime.now
  return {
    lease: { club_id, endpoint_id, lease_id },
    breaker: normalBreaker,
    breaker_epoch,
    delivery,
    attempt: {
      id: AttemptId.make(yield* random.uuidV7()),
      started_at: now,
      ended_at: now,
      duration_ms: 0,
      status_code: 204,
      error: null,
      response_body: null,
      retry_after_seconds: null,
      phases: { lookup_ms: null, connect_ms: null, tls_ms: null, send_ms: 0, wait_ms: 1, read_ms: 0 },
      connection_reused: true,
      peer: { peer_address: "203.0.113.7", tls_version: "TLSv1.3", certificate_ends_at: certificateEnd },
      signature: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="
    },
    after: afterAttempt(delivery, true, now, Option.none())
  }
})

const together = { concurrency: "unbounded" } as const

/** Runs one batch of accepted attempts over this many lanes, from lease to lease's end. `measured` wraps each phase. */
export const oneBatch = Effect.fn("oneBatch")(function*<R>(
  lanes: number,
  measured: <A>(phase: Phase, work: Effect.Effect<A>) => Effect.Effect<A, never, R>
) {
  const repo = yield* LanesRepo
  const claimed = yield* measured("claim", repo.claim(lanes))
  const taken = yield* measured(
    "take",
    Effect.forEach(claimed, (lane) =>
      Effect.map(
        repo.take({
          lease: lane,
          slots: batch / lanes,
          requestedOnly: false,
          recovers: true,
          inFlight: [],
          after: null
        }),
        (taken) => Option.toArray(taken).flatMap(({ deliveries }) => deliveries.map((delivery) => ({ lane, delivery })))
      ), together)
  )
  const owed = taken.flat()
  if (owed.length !== batch) return yield* Effect.die(new Error(`Took ${owed.length} of ${batch}`))
  const settlements = yield* Effect.forEach(owed, ({ delivery, lane }) => settlementOf(lane, delivery))
  yield* measured("settle", Effect.forEach(settlements, repo.settle, together))
  const notBefore = yield* DateTime.now
  yield* measured(
    "release",
    Effect.forEach(claimed, (lane) => repo.release({ lease: lane, wakes: lane.wakes, notBefore }), together)
  )
})
