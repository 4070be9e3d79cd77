import { Context, DateTime, Effect, Layer, Option, type Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { createHash } from "node:crypto"
import { PooledRandomLayer } from "../../../platform/sql/PooledRandom.ts"
import { Sealing } from "../../../platform/sql/Sealing.ts"
import { bindingOfSecret } from "../../model/EndpointId.ts"
import { publicKeyOf } from "../../send/SigningKey.ts"
import { checkSignature, mostVerifications, type Signer } from "./checkSignature.ts"
import { bindingOfRequest, InboxRequestId, largestBody, type LivingInbox } from "./Inbox.ts"
import { InboxesRepo, type NamedInbox, type OwnMessage } from "./InboxesRepo.ts"
import { RequestHead } from "./RequestHead.ts"

/** A request as it came, over HTTP or from the engine itself. Header names are lower case. */
export interface CameIn {
  readonly method: string
  /** With its question mark. Empty without a query. */
  readonly query: string
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Null if it is larger than an inbox keeps. */
  readonly body: Uint8Array | null
  readonly source: RequestHead["source"]
}

const encodeHead = Schema.encodeEffect(Schema.fromJsonString(Schema.toCodecJson(RequestHead)))

const longestMethod = 20

/** An inbox's answer to a request. `status` is the chosen one, or 413. */
export interface InboxAnswer {
  readonly status: number
  readonly delay_ms: number
  readonly retry_after_seconds: number | null
}

/** Takes requests into inboxes, and answers for them (webhook-engine, Play). */
export class Reception extends Context.Service<Reception, {
  /** `None` if the inbox does not exist, or its hour is over. */
  find(token: Redacted.Redacted): Effect.Effect<Option.Option<LivingInbox>>
  take(inbox: LivingInbox, request: CameIn): Effect.Effect<InboxAnswer>
  /** From the engine, only to an inbox of the message's club. A message with an erased body is not kept. */
  deliver(
    message: OwnMessage,
    named: NamedInbox,
    request: Omit<CameIn, "source">
  ): Effect.Effect<Option.Option<InboxAnswer>>
}>()("turma/webhooks/workbench/inbox/Reception") {
  static readonly layerNoDeps = Layer.effect(
    Reception,
    Effect.gen(function*() {
      const random = yield* SecureRandom.SecureRandom
      const repo = yield* InboxesRepo
      const sealing = yield* Sealing

      const open = Effect.fnUntraced(function*(sealed: Effect.Success<ReturnType<typeof repo.signers>>[number]) {
        const { endpoint_id, is_newest, public_key, secret } = sealed
        const opened: Signer = {
          endpoint_id,
          kind: is_newest ? "newest" : "previous",
          secret: yield* sealing.open(secret, bindingOfSecret(endpoint_id)),
          publicKey: public_key === null ? null : publicKeyOf(public_key)
        }
        return opened
      })

      /** Only a request that is signed costs more. */
      const check = Effect.fnUntraced(function*(inbox: LivingInbox, { body, headers }: CameIn) {
        if (body === null || headers["webhook-signature"] === undefined) return null
        const sealed = yield* repo.signers(inbox, mostVerifications)
        const signers = yield* Effect.orDie(Effect.forEach(sealed, open))
        return Option.getOrNull(yield* checkSignature({ headers, body }, signers, yield* DateTime.now))
      })

      const seal = Effect.fnUntraced(function*(inbox: LivingInbox, request: CameIn) {
        const id = InboxRequestId.make(yield* Effect.orDie(random.uuidV7()))
        const { body, headers, method, query, source } = request
        const message = headers["webhook-id"]
        const head = yield* Effect.orDie(encodeHead({
          query,
          source,
          headers: Object.entries(headers).flatMap(([name, value = ""]) => [{ name, value }]),
          size_bytes: body === null ? null : body.length,
          signature: yield* check(inbox, request)
        }))
        return {
          id,
          method: method.slice(0, longestMethod),
          head: yield* sealing.seal(Buffer.from(head), bindingOfRequest(id, "head")),
          body: body === null ? null : yield* sealing.seal(body, bindingOfRequest(id, "body")),
          message: message ? createHash("sha256").update(message).digest() : null
        }
      })

      const take = Effect.fn("Reception.take")(function*(inbox: LivingInbox, sent: CameIn) {
        const isTooLarge = sent.body === null || sent.body.length > largestBody
        const request = isTooLarge ? { ...sent, body: null } : sent
        const answer = isTooLarge
          ? { status: 413, delay_ms: 0, retry_after_seconds: null }
          : { status: inbox.status, delay_ms: inbox.delay_ms, retry_after_seconds: inbox.retry_after_seconds }
        yield* repo.keep({ ...inbox, ...answer }, yield* seal(inbox, request))
        return answer
      })

      const deliver = Effect.fn("Reception.deliver")(function*(
        message: OwnMessage,
        named: NamedInbox,
        request: Omit<CameIn, "source">
      ) {
        const found = yield* repo.findFor(message, named)
        if (Option.isNone(found)) return Option.none()
        const { has_body, ...inbox } = found.value
        if (has_body) return Option.some(yield* take(inbox, { ...request, source: "engine" }))
        const { delay_ms, retry_after_seconds, status } = inbox
        return Option.some({ status, delay_ms, retry_after_seconds })
      })

      return Reception.of({ find: repo.find, take, deliver })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([InboxesRepo.layer, PooledRandomLayer]))
}
