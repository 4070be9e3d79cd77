import { DateTime, Effect, Layer } from "effect"
import { UserId } from "../../../../src/identity/ids/UserId.ts"
import { Partitions } from "../../../../src/platform/sql/Partitions.ts"
import { WebhookErasureLayer } from "../../../../src/webhooks/engine/retention/WebhookErasure.ts"
import { RecoveriesRepo } from "../../../../src/webhooks/history/recovery/RecoveriesRepo.ts"
import { RecoveryId } from "../../../../src/webhooks/history/recovery/Recovery.ts"
import { RecoveryWork } from "../../../../src/webhooks/history/recovery/RecoveryWork.ts"
import { webhookTables } from "../../../../src/webhooks/model/WebhookTables.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { type MadeEndpoint, makeDelivery, makeEndpoint } from "../../../harness/Webhooks.ts"

/** The services of recoveries, to use beside a dispatcher or its services. */
export const WorkLayer = Layer.mergeAll(RecoveryWork.layer, RecoveriesRepo.layer, WebhookErasureLayer)

const someone = UserId.make("019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c")

/** Starts a recovery of all deliveries of the endpoint. */
export const start = Effect.fnUntraced(function*(
  { club_id, endpoint_id }: MadeEndpoint,
  rate: number | null = null,
  newest_first = false
) {
  const repo = yield* RecoveriesRepo
  const id = RecoveryId.make("019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5d")
  const since = DateTime.subtract(yield* DateTime.now, { days: 1 })
  yield* repo.insert({ club_id, endpoint_id }, {
    id,
    since,
    until: null,
    event_types: null,
    newest_first,
    rate,
    starts: true,
    time_zone: "UTC",
    created_by: someone
  })
  const { look } = yield* RecoveryWork
  return {
    read: repo.find({ club_id, endpoint_id }, id),
    look: look({ club_id, endpoint_id, recovery_id: id })
  }
})

export const progressOf = Effect.fnUntraced(function*(recovery: Effect.Success<ReturnType<typeof start>>) {
  const found = yield* recovery.read
  return found._tag === "Some" ? found.value : yield* Effect.die(new Error("It is gone"))
})

/** An endpoint with this many failed deliveries. */
export const makeEnded = Effect.fnUntraced(function*(count: number) {
  yield* Effect.flatMap(Partitions, ({ ensure }) => Effect.flatMap(DateTime.now, (now) => ensure(webhookTables, now)))
  const endpoint = yield* makeEndpoint(yield* makeClub())
  yield* Effect.forEach(Array.from({ length: count }), () => makeDelivery(endpoint, { status: "failed" }))
  return endpoint
})
