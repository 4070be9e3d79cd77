import { Context, DateTime, Duration, Effect, Layer, Option, Redacted, Result, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlError } from "effect/sql"
import { ClubId } from "../../../identity/ids/ClubId.ts"
import { hashToken, isToken } from "../../../identity/tokens/Token.ts"
import {
  MalformedRequest,
  NotFound,
  type PayloadTooLarge,
  TemporarilyUnavailable
} from "../../../platform/http/errors.ts"
import { readJson } from "../../../platform/http/Json.ts"
import { texts } from "../../../platform/sql/Arrays.ts"
import { OnBehalfOf } from "../../../platform/sql/Connections.ts"
import { PooledRandomLayer } from "../../../platform/sql/PooledRandom.ts"
import { Sealing } from "../../../platform/sql/Sealing.ts"
import { type InboundRequest, PlatformKey } from "../platform/Platform.ts"
import { platformOf } from "../platform/Platforms.ts"
import { bodyHash, type Filed, fileNotice, fileUnreadable, personKey } from "./Filing.ts"
import { bindingOfRaw, InboundEventId, InvalidSignature, type Received } from "./InboundEvent.ts"
import { InboundSignal } from "./InboundSignal.ts"
import { bindingOfSecret, InboundWebhookId } from "./InboundWebhook.ts"
import { pack } from "./Kept.ts"

/** A request before anything of it is believed. The body is read once the address is known. */
export interface Knock {
  readonly platform: string
  readonly token: Redacted.Redacted
  readonly headers: InboundRequest["headers"]
  readonly query: URLSearchParams
  readonly body: Effect.Effect<Uint8Array, PayloadTooLarge | MalformedRequest>
}

type Refused = InvalidSignature | MalformedRequest | NotFound | PayloadTooLarge | TemporarilyUnavailable

const Hook = Schema.Struct({
  club_id: ClubId,
  id: InboundWebhookId,
  platform: PlatformKey,
  secret: Schema.NullOr(Schema.Uint8Array),
  token_only: Schema.Boolean
})
type Hook = typeof Hook.Type

const isPlatform = Schema.is(PlatformKey)
const decodeHooks = Schema.decodeUnknownEffect(Schema.Array(Hook))

/** Long enough for a busy database, and shorter than any platform waits. */
const patience = Duration.seconds(4)

/** Takes in what sales platforms send (http-surface, Inbound sales platforms). What follows from it is the queue's. */
export class Reception extends Context.Service<Reception, {
  /**
   * Verifies the bytes as they came and stores them before it answers. `NotFound`: the token is unknown, or its address
   * is disabled, deleted or another platform's. `TemporarilyUnavailable`: it could not be stored, and is to be sent again.
   */
  receive(knock: Knock): Effect.Effect<Received, Refused>
}>()("turma/sales/Reception") {
  static readonly layerNoDeps = Layer.effect(
    Reception,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const sealing = yield* Sealing
      const signal = yield* InboundSignal

      const unavailable = (error: SqlError.SqlError) =>
        Effect.andThen(
          Effect.logError("The database took no inbound event", error),
          Effect.fail(new TemporarilyUnavailable())
        )

      // A platform that hears 404 or 500 may never send the sale again.
      const orUnavailable = <A, E>(work: Effect.Effect<A, E | SqlError.SqlError>) =>
        work.pipe(
          Effect.catchIf(SqlError.isSqlError, unavailable),
          Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(new TemporarilyUnavailable()) })
        )

      const find = Effect.fnUntraced(function*({ platform, token }: Knock, now: DateTime.Utc) {
        if (!isPlatform(platform) || !isToken(token)) return yield* new NotFound()
        const hash = hashToken(token)
        const rows = yield* sql`
          select club_id, id, platform, secret, token_only from inbound_webhooks
          where platform = ${platform} and enabled and (
            token_hash = ${hash}
            or (previous_token_hash = ${hash} and previous_token_expires_at > ${DateTime.toDateUtc(now)})
          )`
        const [hook] = yield* Effect.orDie(decodeHooks(rows))
        return hook ?? (yield* new NotFound())
      }, orUnavailable)

      // Without a secret nobody can prove anything: closed, unless an administrator has said that the token is enough.
      const verify = Effect.fnUntraced(function*({ id, platform, secret, token_only }: Hook, request: InboundRequest) {
        if (secret === null) return token_only ? undefined : yield* new InvalidSignature()
        const opened = Redacted.make(new TextDecoder().decode(yield* sealing.open(secret, bindingOfSecret(id))))
        if (Result.isFailure(platformOf(platform).verify(request, opened))) return yield* new InvalidSignature()
      }, (verification, { id }) =>
        Effect.catchTag(
          verification,
          "SealBroken",
          () =>
            Effect.andThen(
              Effect.logError("No key opens the secret of an inbound webhook", { inbound_webhook_id: id }),
              Effect.fail(new TemporarilyUnavailable())
            )
        ))

      /** False: the same bytes are there. */
      const insert = Effect.fnUntraced(function*(hook: Hook, request: InboundRequest, filed: Filed) {
        const { club_id } = hook
        const id = InboundEventId.make(yield* Effect.orDie(random.uuidV7()))
        const received_at = DateTime.toDateUtc(request.received_at)
        const rows = yield* sql`
          insert into inbound_events ${
          sql.insert({
            club_id,
            id,
            inbound_webhook_id: hook.id,
            platform: hook.platform,
            event_name: filed.event_name,
            external_event_id: filed.external_event_id,
            body_hash: bodyHash(request.body),
            order_key: filed.order_key ?? `event:${id}`,
            purchase_ref: filed.purchase_ref,
            product_ids: texts(filed.products.map(({ external_id }) => external_id)),
            offer_ids: texts(filed.products.map(({ offer_external_id }) => offer_external_id)),
            person_key: filed.person_email === null ? null : personKey(club_id, filed.person_email),
            raw: yield* sealing.seal(pack(request), bindingOfRaw(id)),
            received_at,
            due_at: filed.outcome === null ? received_at : null,
            outcome: filed.outcome,
            detail: filed.detail,
            finished_at: filed.outcome === null ? null : received_at
          })
        } on conflict (club_id, inbound_webhook_id, body_hash) do nothing returning 1`
        return rows.length > 0
      }, orUnavailable)

      const receive = Effect.fn("Reception.receive")(function*(knock: Knock) {
        const received_at = yield* DateTime.now
        const hook = yield* find(knock, received_at)
        const { headers, query } = knock
        const request = { headers, query, body: yield* knock.body, received_at }
        yield* verify(hook, request)
        const json = yield* readJson(request.body)
        if (Option.isNone(json)) return yield* new MalformedRequest()
        const filed = Result.match(platformOf(hook.platform).read(json.value, request), {
          onFailure: fileUnreadable,
          onSuccess: fileNotice
        })
        const isNew = yield* Effect.provideService(insert(hook, request, filed), OnBehalfOf, hook.club_id)
        if (!isNew) return { status: "duplicate" as const }
        if (filed.outcome === null) yield* signal.notify
        return { status: filed.outcome === "ignored" ? "ignored" as const : "accepted" as const }
      })

      return Reception.of({ receive })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([InboundSignal.layer, PooledRandomLayer]))
}
