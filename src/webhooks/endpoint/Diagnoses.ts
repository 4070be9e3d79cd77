import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { NotFound } from "../../platform/http/errors.ts"
import type { EndpointId } from "../model/EndpointId.ts"
import { WebhookRules } from "../model/WebhookSettings.ts"
import { countedDeliveries, DeliveryQueueRepo } from "../queue/DeliveryQueueRepo.ts"
import { countedOfEach, DiagnosesRepo } from "./DiagnosesRepo.ts"
import { diagnose, type EndpointDiagnosis, type WebhookDiagnosis } from "./Diagnosis.ts"

/** Why the endpoints of a club are or are not delivering. `NotFound`: this club has no such endpoint, or it is deleted. */
export class Diagnoses extends Context.Service<Diagnoses, {
  of(club_id: ClubId, id: EndpointId): Effect.Effect<WebhookDiagnosis, NotFound>
  /** All of the club's, oldest first. Counts less of each queue than a single diagnosis. */
  all(club_id: ClubId): Effect.Effect<ReadonlyArray<EndpointDiagnosis>>
}>()("turma/webhooks/endpoint/Diagnoses") {
  static readonly layerNoDeps = Layer.effect(
    Diagnoses,
    Effect.gen(function*() {
      const queue = yield* DeliveryQueueRepo
      const repo = yield* DiagnosesRepo
      const { disable_after, secret_overlap } = yield* WebhookRules

      const of = Effect.fn("Diagnoses.of")(function*(club_id: ClubId, id: EndpointId) {
        const now = yield* DateTime.now
        const [endpoint, state] = yield* Effect.all([
          repo.find(club_id, id),
          queue.read({ club_id, endpoint_id: id })
        ], { concurrency: "unbounded" })
        if (Option.isNone(endpoint)) return yield* new NotFound()
        const rules = { now, counted: countedDeliveries, disable_after, secret_overlap }
        return diagnose({ endpoint: endpoint.value, queue: state, ...rules })
      })

      const all = Effect.fn("Diagnoses.all")(function*(club_id: ClubId) {
        const now = yield* DateTime.now
        const found = yield* repo.read(club_id)
        return found.map(({ depth, due_at, endpoint_id, oldest_pending_at, requested_at, ...endpoint }) => {
          const queue = { depth, due_at, oldest_pending_at, requested_at }
          const rules = { now, counted: countedOfEach, disable_after, secret_overlap }
          return { endpoint_id, diagnosis: diagnose({ endpoint, queue, ...rules }) }
        })
      })

      return Diagnoses.of({ of, all })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([DeliveryQueueRepo.layer, DiagnosesRepo.layer]))
}
