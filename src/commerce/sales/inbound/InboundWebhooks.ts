import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Duration, Effect, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { creates } from "../../../identity/audit/NewAuditEntry.ts"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { hashToken, makeToken } from "../../../identity/tokens/Token.ts"
import { saying } from "../../../platform/http/ApiError.ts"
import { NotFound, type TemporarilyUnavailable } from "../../../platform/http/errors.ts"
import {
  afterCursor,
  type InvalidCursor,
  type PageAnswer,
  pageOf,
  type PageRequest
} from "../../../platform/http/Page.ts"
import { PublicUrls } from "../../../platform/http/ServerSettings.ts"
import { ClockGuard } from "../../../platform/jobs/ClockGuard.ts"
import { inTransaction } from "../../../platform/sql/Rows.ts"
import { Sealing } from "../../../platform/sql/Sealing.ts"
import { ownText } from "../../../platform/text/Utf8.ts"
import type { PlatformKey } from "../platform/Platform.ts"
import { platformOf } from "../platform/Platforms.ts"
import {
  bindingOfSecret,
  bindingOfToken,
  type CreateInboundWebhook,
  type InboundWebhook,
  InboundWebhookId,
  InboundWebhookLimitReached,
  type PatchInboundWebhook,
  SecretInvalid
} from "./InboundWebhook.ts"
import { type InboundWebhookRow, InboundWebhooksRepo } from "./InboundWebhooksRepo.ts"

/** How long the previous token works after a rotation (http-surface, Inbound sales platforms). */
const tokenOverlap = Duration.hours(24)

const encoder = new TextEncoder()

/** The addresses for the sales platforms of a club. `NotFound`: this club has no such address, or it is deleted. */
export class InboundWebhooks extends Context.Service<InboundWebhooks, {
  /** Oldest first. */
  list(club_id: ClubId, page: PageRequest): Effect.Effect<PageAnswer<InboundWebhook>, InvalidCursor>
  get(club_id: ClubId, id: InboundWebhookId): Effect.Effect<InboundWebhook, NotFound>
  create(
    club_id: ClubId,
    hook: typeof CreateInboundWebhook.Type
  ): Effect.Effect<InboundWebhook, SecretInvalid | InboundWebhookLimitReached>
  patch(
    club_id: ClubId,
    id: InboundWebhookId,
    patch: typeof PatchInboundWebhook.Type
  ): Effect.Effect<InboundWebhook, SecretInvalid | NotFound>
  /**
   * Gives it a new URL. The previous one works for another day, older ones stop at once. `TemporarilyUnavailable`: the clock
   * is doubtful, so the end of that day is not known.
   */
  rotateToken(
    club_id: ClubId,
    id: InboundWebhookId
  ): Effect.Effect<InboundWebhook, NotFound | TemporarilyUnavailable>
  /** Its events stay until retention deletes them. */
  remove(club_id: ClubId, id: InboundWebhookId): Effect.Effect<void, NotFound>
}>()("turma/commerce/sales/inbound/InboundWebhooks") {
  static readonly layer = Layer.effect(
    InboundWebhooks,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { api } = yield* PublicUrls
      const random = yield* SecureRandom.SecureRandom
      const repo = yield* InboundWebhooksRepo
      const sealing = yield* Sealing
      const guard = yield* ClockGuard

      const seal = (text: Redacted.Redacted, binding: string) =>
        sealing.seal(encoder.encode(Redacted.value(text)), binding)

      const newToken = Effect.fnUntraced(function*(id: InboundWebhookId) {
        const token = yield* makeToken
        return { token: yield* seal(token, bindingOfToken(id)), token_hash: hashToken(token) }
      }, Effect.provideService(SecureRandom.SecureRandom, random))

      const withUrl = Effect.fnUntraced(function*({ token, ...hook }: InboundWebhookRow) {
        const opened = ownText(yield* sealing.open(token, bindingOfToken(hook.id)))
        return { ...hook, url: Redacted.make(`${api.origin}/webhooks/${hook.platform}/${opened}`) }
      }, Effect.orDie)

      const list = Effect.fn("InboundWebhooks.list")(function*(club_id: ClubId, { cursor, limit }: PageRequest) {
        const { data, next_cursor } = pageOf(
          yield* repo.list(club_id, { after: yield* afterCursor(cursor), limit }),
          limit
        )
        return { data: yield* Effect.forEach(data, withUrl), next_cursor }
      })

      const get = Effect.fn("InboundWebhooks.get")(function*(club_id: ClubId, id: InboundWebhookId) {
        const found = yield* repo.find(club_id, id)
        return Option.isSome(found) ? yield* withUrl(found.value) : yield* new NotFound()
      })

      const checkSecret = Effect.fnUntraced(function*(platform: PlatformKey, secret: Redacted.Redacted) {
        const reason = platformOf(platform).checkSecret?.(secret) ?? null
        if (reason === null) return
        return yield* new SecretInvalid(saying({
          en: `secret must be ${reason.en}`,
          "pt-BR": `O segredo precisa ser ${reason["pt-BR"]}.`
        }))
      })

      const create = Effect.fn("InboundWebhooks.create")(function*(
        club_id: ClubId,
        { name, platform, secret, token_only = false }: typeof CreateInboundWebhook.Type
      ) {
        if (secret !== undefined) yield* checkSecret(platform, secret)
        const id = InboundWebhookId.make(yield* Effect.orDie(random.uuidV7()))
        yield* creates(id)
        const inserted = yield* repo.insert(club_id, {
          id,
          platform,
          name: name ?? platformOf(platform).name,
          secret: secret === undefined ? null : yield* seal(secret, bindingOfSecret(id)),
          token_only,
          ...yield* newToken(id)
        })
        if (!inserted) return yield* new InboundWebhookLimitReached()
        return yield* Effect.catchTag(get(club_id, id), "NotFound", Effect.die)
      })

      const patch = Effect.fn("InboundWebhooks.patch")(
        function*(club_id: ClubId, id: InboundWebhookId, { secret, ...rest }: typeof PatchInboundWebhook.Type) {
          const platform = yield* repo.lock(club_id, id)
          if (Option.isNone(platform)) return yield* new NotFound()
          if (secret) yield* checkSecret(platform.value, secret)
          const sealed = secret ? yield* seal(secret, bindingOfSecret(id)) : secret
          yield* repo.update(club_id, id, { ...rest, secret: sealed })
          return yield* get(club_id, id)
        },
        inTransaction(sql)
      )

      const rotateToken = Effect.fn("InboundWebhooks.rotateToken")(function*(club_id: ClubId, id: InboundWebhookId) {
        const until = DateTime.addDuration(yield* guard.agreedNow, tokenOverlap)
        if (!(yield* repo.rotate(club_id, id, yield* newToken(id), until))) return yield* new NotFound()
        return yield* get(club_id, id)
      })

      const remove = Effect.fn("InboundWebhooks.remove")(function*(club_id: ClubId, id: InboundWebhookId) {
        if (!(yield* repo.remove(club_id, id))) return yield* new NotFound()
      })

      return InboundWebhooks.of({ list, get, create, patch, rotateToken, remove })
    })
  ).pipe(Layer.provide([InboundWebhooksRepo.layer, PublicUrls.layer, NodeCrypto.layerSecureRandom]))
}
