import { Context, DateTime, type Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { creates } from "../../../identity/audit/NewAuditEntry.ts"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { hashToken, makeToken } from "../../../identity/tokens/Token.ts"
import { NotFound, type TemporarilyUnavailable } from "../../../platform/http/errors.ts"
import { type InvalidCursor, keysetOf, type PageAnswer, type PageRequest } from "../../../platform/http/Page.ts"
import { PublicUrls } from "../../../platform/http/ServerSettings.ts"
import { ClockGuard, orZero } from "../../../platform/jobs/ClockGuard.ts"
import { repeatedly } from "../../../platform/jobs/Repeatedly.ts"
import { PooledRandomLayer } from "../../../platform/sql/PooledRandom.ts"
import { inTransaction } from "../../../platform/sql/Rows.ts"
import { Sealing } from "../../../platform/sql/Sealing.ts"
import { ownText, shownText } from "../../../platform/text/Utf8.ts"
import { InboxId } from "../../model/InboxId.ts"
import { bindingOfRequest, bindingOfToken, inboxLife, type InboxRequestId } from "../inbox/Inbox.ts"
import { playUrl } from "../inbox/PlayUrl.ts"
import { RequestHead } from "../inbox/RequestHead.ts"
import {
  type CreateInbox,
  InboxLimitReached,
  type InboxRequest,
  type InboxRequestDetail,
  type PatchInbox,
  type WebhookInbox
} from "./Inbox.ts"
import { type InboxRow, PlayRepo, type RequestRow } from "./PlayRepo.ts"

const encoder = new TextEncoder()

const decodeHead = Schema.decodeEffect(Schema.fromJsonString(Schema.toCodecJson(RequestHead)))

const cursors = keysetOf(Schema.Struct({ number: Schema.Int }))

/** A club's inboxes, and what came to them. `NotFound`: the club has no such inbox, or its hour is over. */
export class Inboxes extends Context.Service<Inboxes, {
  /** `TemporarilyUnavailable`: the clock is doubtful, and its hour might be over. */
  create(
    club_id: ClubId,
    inbox: typeof CreateInbox.Type
  ): Effect.Effect<WebhookInbox, InboxLimitReached | TemporarilyUnavailable>
  /** Oldest first. */
  list(club_id: ClubId): Effect.Effect<ReadonlyArray<WebhookInbox>>
  get(club_id: ClubId, id: InboxId): Effect.Effect<WebhookInbox, NotFound>
  patch(club_id: ClubId, id: InboxId, patch: typeof PatchInbox.Type): Effect.Effect<WebhookInbox, NotFound>
  /** With all that it has taken. */
  remove(club_id: ClubId, id: InboxId): Effect.Effect<void, NotFound>
  /** Newest first. */
  requests(
    club_id: ClubId,
    id: InboxId,
    page: PageRequest
  ): Effect.Effect<PageAnswer<InboxRequest>, InvalidCursor | NotFound>
  request(
    club_id: ClubId,
    id: InboxId,
    request_id: InboxRequestId
  ): Effect.Effect<InboxRequestDetail, NotFound>
  /** All requests after that one, oldest first. Empty if the inbox no longer exists. */
  requestsAfter(club_id: ClubId, id: InboxId, number: number): Effect.Effect<ReadonlyArray<InboxRequest>>
  /** Deletes those whose hour is over. Answers how many. */
  readonly removeExpired: Effect.Effect<number>
}>()("turma/webhooks/workbench/play/Inboxes") {
  static readonly layerNoDeps = Layer.effect(
    Inboxes,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { api } = yield* PublicUrls
      const guard = yield* ClockGuard
      const random = yield* SecureRandom.SecureRandom
      const repo = yield* PlayRepo
      const sealing = yield* Sealing

      const orNotFound = <A>(row: Effect.Effect<Option.Option<A>>) =>
        Effect.flatMap(row, Option.match({ onNone: () => Effect.fail(new NotFound()), onSome: Effect.succeed }))

      const withUrl = Effect.fnUntraced(function*({ token, ...inbox }: InboxRow) {
        const opened = Redacted.make(ownText(yield* sealing.open(token, bindingOfToken(inbox.id))))
        return { ...inbox, url: playUrl(api, opened) }
      }, Effect.orDie)

      const create = Effect.fn("Inboxes.create")(function*(club_id: ClubId, asked: typeof CreateInbox.Type) {
        const answer = { status: 200, delay_ms: 0, retry_after_seconds: null, ...asked }
        const id = InboxId.make(yield* Effect.orDie(random.uuidV7()))
        yield* creates(id)
        const token = yield* Effect.provideService(makeToken, SecureRandom.SecureRandom, random)
        const created_at = yield* guard.agreedNow
        const inbox = {
          ...answer,
          id,
          created_at,
          expires_at: DateTime.addDuration(created_at, inboxLife),
          token_hash: hashToken(token),
          token: yield* sealing.seal(encoder.encode(Redacted.value(token)), bindingOfToken(id))
        }
        if (!(yield* inTransaction(sql)(repo.insert(club_id, inbox)))) return yield* new InboxLimitReached()
        return { ...answer, id, url: playUrl(api, token), received: 0, created_at, expires_at: inbox.expires_at }
      })

      const list = Effect.fn("Inboxes.list")(function*(club_id: ClubId) {
        return yield* Effect.forEach(yield* repo.list(club_id), withUrl)
      })

      const get = Effect.fn("Inboxes.get")((club_id: ClubId, id: InboxId) =>
        Effect.flatMap(orNotFound(repo.find(club_id, id)), withUrl)
      )

      const patch = Effect.fn("Inboxes.patch")((club_id: ClubId, id: InboxId, answer: typeof PatchInbox.Type) =>
        Effect.flatMap(orNotFound(repo.update(club_id, id, answer)), withUrl)
      )

      const remove = Effect.fn("Inboxes.remove")(function*(club_id: ClubId, id: InboxId) {
        if (!(yield* repo.remove(club_id, id))) return yield* new NotFound()
      })

      const opened = Effect.fnUntraced(function*({ head, ...row }: RequestRow) {
        const text = ownText(yield* sealing.open(head, bindingOfRequest(row.id, "head")))
        const { headers, ...sent } = yield* decodeHead(text)
        return { shown: { ...row, ...sent }, headers }
      }, Effect.orDie)

      const shown = (row: RequestRow) => Effect.map(opened(row), ({ shown }) => shown)

      const requests = Effect.fn("Inboxes.requests")(function*(
        club_id: ClubId,
        id: InboxId,
        { cursor, limit }: PageRequest
      ) {
        const before = Option.getOrNull(Option.map(yield* cursors.read(cursor), ({ number }) => number))
        const found = yield* repo.requests(club_id, id, { before, limit: limit + 1 })
        if (found.length === 0) yield* orNotFound(repo.find(club_id, id))
        const page = yield* cursors.page(found, limit, ({ number }) => ({ number }))
        return { ...page, data: yield* Effect.forEach(page.data, shown) }
      })

      const request = Effect.fn("Inboxes.request")(function*(club_id: ClubId, id: InboxId, request_id: InboxRequestId) {
        const { body, ...row } = yield* orNotFound(repo.request(club_id, id, request_id))
        const { headers, shown } = yield* opened(row)
        if (body === null) return { ...shown, headers, body: null }
        const bytes = yield* Effect.orDie(sealing.open(body, bindingOfRequest(row.id, "body")))
        return { ...shown, headers, body: shownText(bytes) }
      })

      const requestsAfter = Effect.fn("Inboxes.requestsAfter")(function*(club_id: ClubId, id: InboxId, number: number) {
        return yield* Effect.forEach(yield* repo.requests(club_id, id, { after: number }), shown)
      })

      const removeExpired = guard.sweep("inboxes whose hour is over", repo.removeUntil).pipe(
        orZero,
        Effect.withSpan("Inboxes.removeExpired")
      )

      return Inboxes.of({ create, list, get, patch, remove, requests, request, requestsAfter, removeExpired })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([PlayRepo.layer, PooledRandomLayer, PublicUrls.layer]))
}

/** Deletes inboxes whose hour is over, with what they took. Behind the `ClockGuard` of `Inboxes`. */
export const inboxSweepLayer = ({ every }: { readonly every: Duration.Input }) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { removeExpired } = yield* Inboxes
    yield* repeatedly(removeExpired, { every, onFailure: "Inboxes whose hour is over are not looked for" })
  }))
