import { Context, DateTime, Duration, Effect, Layer, Option, Redacted, Result, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlError } from "effect/sql"
import { createHash } from "node:crypto"
import { hashToken, isToken } from "../../../identity/tokens/Token.ts"
import {
  type MalformedRequest,
  NotFound,
  type PayloadTooLarge,
  TemporarilyUnavailable
} from "../../../platform/http/errors.ts"
import { turnFor } from "../../../platform/http/json/Json.ts"
import { readJson } from "../../../platform/http/JsonText.ts"
import { PooledRandomLayer } from "../../../platform/sql/PooledRandom.ts"
import { Sealing } from "../../../platform/sql/Sealing.ts"
import { ownText } from "../../../platform/text/Utf8.ts"
import { keptTrace } from "../../../platform/tracing/KeptTrace.ts"
import { type InboundRequest, PlatformKey } from "../platform/Platform.ts"
import { platformOf } from "../platform/Platforms.ts"
import { makeArrivals } from "./Arrivals.ts"
import { bindingOfRaw, InboundEventId, InvalidSignature, type Receipt } from "./InboundEvent.ts"
import { InboundSignal } from "./InboundSignal.ts"
import { bindingOfSecret } from "./InboundWebhook.ts"
import { eventOfNotice, eventOfUnreadable, type NewInboundEvent } from "./NewInboundEvent.ts"
import { makeReceivingWebhooks, type ReceivingWebhook } from "./ReceivingWebhooks.ts"
import { encodeRequest } from "./StoredRequest.ts"

/** A request that is not verified yet. The body is read once the address is known. */
export interface UnverifiedRequest {
  readonly platform: string
  readonly token: Redacted.Redacted
  readonly headers: InboundRequest["headers"]
  readonly query: URLSearchParams
  readonly body: Effect.Effect<Uint8Array, PayloadTooLarge | MalformedRequest>
}

type Refused = InvalidSignature | MalformedRequest | NotFound | PayloadTooLarge | TemporarilyUnavailable

const isPlatform = Schema.is(PlatformKey)

/** Long enough for a busy database, and shorter than any platform waits. */
const timeout = Duration.seconds(4)

/** Receives the requests of sales platforms (http-surface, Inbound sales platforms). The queue processes them later. */
export class Reception extends Context.Service<Reception, {
  /**
   * Verifies the bytes as they came and stores them before it answers. `NotFound`: the token is unknown, or its address
   * is disabled, deleted or another platform's. `TemporarilyUnavailable`: the request is not stored, and the platform
   * must send it again.
   */
  receive(unverified: UnverifiedRequest): Effect.Effect<Receipt, Refused>
}>()("turma/commerce/sales/inbound/Reception") {
  static readonly layerNoDeps = Layer.effect(
    Reception,
    Effect.gen(function*() {
      const random = yield* SecureRandom.SecureRandom
      const sealing = yield* Sealing
      const signal = yield* InboundSignal
      const arrivals = yield* makeArrivals
      const webhooks = yield* makeReceivingWebhooks

      const unavailable = (error: SqlError.SqlError) =>
        Effect.andThen(
          Effect.logError("The database took no inbound event", error),
          Effect.fail(new TemporarilyUnavailable())
        )

      // After a 404 or 500, a platform may never send the sale again.
      const orUnavailable = <A, E>(work: Effect.Effect<A, E | SqlError.SqlError>) =>
        work.pipe(
          Effect.catchIf(SqlError.isSqlError, unavailable),
          Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail(new TemporarilyUnavailable()) })
        )

      const find = Effect.fnUntraced(function*({ platform, token }: UnverifiedRequest) {
        if (!isPlatform(platform) || !isToken(token)) return yield* new NotFound()
        const webhook = yield* orUnavailable(webhooks.find({ platform, hash: hashToken(token) }))
        return Option.isNone(webhook) ? yield* new NotFound() : webhook.value
      })

      // Without a secret every request is refused, unless an administrator has allowed the token alone.
      const verify = Effect.fnUntraced(
        function*({ id, platform, secret, token_only }: ReceivingWebhook, request: InboundRequest) {
          if (secret === null) return token_only ? undefined : yield* new InvalidSignature()
          const opened = Redacted.make(ownText(yield* sealing.open(secret, bindingOfSecret(id))))
          if (Result.isFailure(platformOf(platform).verify(request, opened))) return yield* new InvalidSignature()
        },
        (verification, { id }) =>
          Effect.catchTag(
            verification,
            "SealBroken",
            () =>
              Effect.andThen(
                Effect.logError("No key opens the secret of an inbound webhook", { inbound_webhook_id: id }),
                Effect.fail(new TemporarilyUnavailable())
              )
          )
      )

      /** False: the same bytes are stored already. */
      const store = Effect.fnUntraced(
        function*(
          { club_id, id: inbound_webhook_id, platform }: ReceivingWebhook,
          request: InboundRequest,
          event: NewInboundEvent
        ) {
          const id = InboundEventId.make(yield* Effect.orDie(random.uuidV7()))
          const body_hash = createHash("sha256").update(request.body).digest()
          const raw = yield* sealing.seal(encodeRequest(request), bindingOfRaw(id))
          const { received_at } = request
          return yield* arrivals.store({
            ...event,
            club_id,
            id,
            inbound_webhook_id,
            platform,
            body_hash,
            raw,
            received_at,
            trace: yield* keptTrace
          })
        },
        orUnavailable
      )

      const receive = Effect.fn("Reception.receive")(function*(unverified: UnverifiedRequest) {
        const received_at = yield* DateTime.now
        const webhook = yield* find(unverified)
        const { headers, query } = unverified
        const request = { headers, query, body: yield* unverified.body, received_at }
        yield* turnFor(request.body.length)
        yield* verify(webhook, request)
        const event = Result.match(platformOf(webhook.platform).read(yield* readJson(request.body), request), {
          onFailure: eventOfUnreadable,
          onSuccess: eventOfNotice
        })
        const isNew = yield* store(webhook, request, event)
        if (!isNew) return { status: "duplicate" as const }
        if (event.outcome === null) yield* signal.notify
        return { status: event.outcome === "ignored" ? "ignored" as const : "accepted" as const }
      })

      return Reception.of({ receive })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([InboundSignal.layer, PooledRandomLayer]))
}
