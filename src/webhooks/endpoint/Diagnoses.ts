import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { NotFound } from "../../platform/http/errors.ts"
import type { Locale } from "../../platform/http/Locale.ts"
import { Sealing } from "../../platform/sql/Sealing.ts"
import { countedDeliveries, DeliveryQueueRepo } from "../engine/queue/DeliveryQueueRepo.ts"
import { bindingOfSecret, bindingOfSigningKey, type EndpointId } from "../model/EndpointId.ts"
import { WebhookRules } from "../model/WebhookSettings.ts"
import { bindingOfHeaders } from "../send/SealedHeaders.ts"
import { countedOfEach, DiagnosesRepo } from "./DiagnosesRepo.ts"
import { diagnose, type EndpointDiagnosis, type WebhookDiagnosis } from "./Diagnosis.ts"

interface Signing {
  readonly secret: Uint8Array | null
  readonly signing_key: Uint8Array | null
}

interface Sealed extends Signing {
  readonly headers: Uint8Array | null
  readonly previous_secrets: ReadonlyArray<Signing>
}

/**
 * Why the endpoints of a club are or are not delivering, in English unless another language is asked for. `NotFound`: this club
 * has no such endpoint, or it is deleted.
 */
export class Diagnoses extends Context.Service<Diagnoses, {
  of(club_id: ClubId, id: EndpointId, locale?: Locale): Effect.Effect<WebhookDiagnosis, NotFound>
  /** All of the club's, oldest first. Counts less of each queue than a single diagnosis. */
  all(club_id: ClubId, locale?: Locale): Effect.Effect<ReadonlyArray<EndpointDiagnosis>>
}>()("turma/webhooks/endpoint/Diagnoses") {
  static readonly layerNoDeps = Layer.effect(
    Diagnoses,
    Effect.gen(function*() {
      const queue = yield* DeliveryQueueRepo
      const repo = yield* DiagnosesRepo
      const { disable_after, secret_overlap } = yield* WebhookRules
      const sealing = yield* Sealing

      /** Adds to what is known of an endpoint if a delivery of it could be signed. */
      const opened = Effect.fnUntraced(function*<E extends Sealed>(id: EndpointId, found: E) {
        const { headers, previous_secrets, secret, signing_key, ...endpoint } = found
        const all = [
          ...[{ secret, signing_key }, ...previous_secrets].flatMap((signing) => [
            [signing.secret, bindingOfSecret(id)] as const,
            [signing.signing_key, bindingOfSigningKey(id)] as const
          ]),
          [headers, bindingOfHeaders(id)] as const
        ]
        const opens = yield* Effect.forEach(
          all,
          ([sealed, binding]) =>
            sealed === null ? Effect.succeed(true) : Effect.isSuccess(sealing.open(sealed, binding))
        )
        return { endpoint, opens: opens.every((each) => each) }
      })

      const of = Effect.fn("Diagnoses.of")(function*(club_id: ClubId, id: EndpointId, locale?: Locale) {
        const now = yield* DateTime.now
        const [endpoint, state] = yield* Effect.all([
          repo.find(club_id, id),
          queue.read({ club_id, endpoint_id: id })
        ], { concurrency: "unbounded" })
        if (Option.isNone(endpoint)) return yield* new NotFound()
        const rules = { now, counted: countedDeliveries, disable_after, secret_overlap }
        return diagnose({ ...yield* opened(id, endpoint.value), queue: state, ...rules }, locale)
      })

      const all = Effect.fn("Diagnoses.all")(function*(club_id: ClubId, locale?: Locale) {
        const now = yield* DateTime.now
        const found = yield* repo.read(club_id)
        const rules = { now, counted: countedOfEach, disable_after, secret_overlap }
        return yield* Effect.forEach(found, (each) => {
          const { depth, due_at, endpoint_id, oldest_pending_at, requested_at, ...rest } = each
          const queue = { depth, due_at, oldest_pending_at, requested_at }
          return Effect.map(opened(endpoint_id, rest), (known) => ({
            endpoint_id,
            diagnosis: diagnose({ ...known, queue, ...rules }, locale)
          }))
        })
      })

      return Diagnoses.of({ of, all })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([DeliveryQueueRepo.layer, DiagnosesRepo.layer]))
}
