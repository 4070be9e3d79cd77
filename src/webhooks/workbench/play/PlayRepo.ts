import { Context, DateTime, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { audited } from "../../../identity/audit/AuditFragment.ts"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { Instant } from "../../../platform/schema/Instant.ts"
import { first, one, rows } from "../../../platform/sql/Rows.ts"
import type { InboxId } from "../../model/InboxId.ts"
import { type ConfiguredAnswer, inboxLimit, InboxRequestId } from "../inbox/Inbox.ts"
import { WebhookInbox } from "./Inbox.ts"

const { url: _, ...shown } = WebhookInbox.fields

/** An inbox; its token is sealed. */
const InboxRow = Schema.Struct({ ...shown, token: Schema.Uint8Array })
export type InboxRow = typeof InboxRow.Type

const RequestRow = Schema.Struct({
  id: InboxRequestId,
  number: Schema.Int,
  received_at: Instant,
  method: Schema.String,
  status: Schema.Int,
  delay_ms: Schema.Int,
  repeated: Schema.Boolean,
  head: Schema.Uint8Array
})
export type RequestRow = typeof RequestRow.Type

const decodeInbox = first(InboxRow)
const decodeInboxes = rows(InboxRow)
const decodeInsertion = one(Schema.Struct({ has_room: Schema.Boolean, inserted: Schema.Boolean }))
const decodeRequests = rows(RequestRow)
const decodeRequest = first(Schema.Struct({ ...RequestRow.fields, body: Schema.NullOr(Schema.Uint8Array) }))

export interface NewInbox extends ConfiguredAnswer {
  readonly id: InboxId
  readonly token_hash: Uint8Array
  readonly token: Uint8Array
  readonly created_at: DateTime.Utc
  readonly expires_at: DateTime.Utc
}

/** A span of an inbox's requests: after that number, oldest first, or before it, newest first. */
export type Span =
  | { readonly after: number }
  | { readonly before: number | null; readonly limit: number }

/** A club's inboxes and what they have taken. Those past their hour are never found, deleted or not. */
export class PlayRepo extends Context.Service<PlayRepo, {
  /** Oldest first. */
  list(club_id: ClubId): Effect.Effect<ReadonlyArray<InboxRow>>
  find(club_id: ClubId, id: InboxId): Effect.Effect<Option.Option<InboxRow>>
  /** False, and nothing is inserted, if the club has as many as it may. The caller's clock was judged. */
  insert(club_id: ClubId, inbox: NewInbox): Effect.Effect<boolean>
  update(club_id: ClubId, id: InboxId, answer: Partial<ConfiguredAnswer>): Effect.Effect<Option.Option<InboxRow>>
  /** False if the inbox does not exist. */
  remove(club_id: ClubId, id: InboxId): Effect.Effect<boolean>
  /** Empty if the inbox does not exist: it has no requests. */
  requests(club_id: ClubId, id: InboxId, span: Span): Effect.Effect<ReadonlyArray<RequestRow>>
  request(
    club_id: ClubId,
    id: InboxId,
    request_id: InboxRequestId
  ): Effect.Effect<Option.Option<RequestRow & { readonly body: Uint8Array | null }>>
  /** Deletes those whose hour was over by then. Answers how many. */
  removeUntil(at: DateTime.Utc): Effect.Effect<number>
}>()("turma/webhooks/workbench/play/PlayRepo") {
  static readonly layer = Layer.effect(
    PlayRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)
      const columns = sql
        .literal("i.id, i.token, i.status, i.delay_ms, i.retry_after_seconds, i.received::int as received, i.created_at, i.expires_at")

      const list = Effect.fn("PlayRepo.list")(function*(club_id: ClubId) {
        return yield* sql`
          select ${columns} from webhook_inboxes i
          where i.club_id = ${club_id} and i.expires_at > ${yield* now} order by i.id`.pipe(decodeInboxes)
      })

      const find = Effect.fn("PlayRepo.find")(function*(club_id: ClubId, id: InboxId) {
        return yield* sql`
          select ${columns} from webhook_inboxes i
          where i.club_id = ${club_id} and i.id = ${id} and i.expires_at > ${yield* now}`.pipe(decodeInbox)
      })

      // Of two that take the same slot at once, the later one waits for the earlier one, and tries another.
      const tryInsert = (club_id: ClubId, inbox: NewInbox) =>
        audited((audit) =>
          sql`
            with ${audit.before} free as materialized (
              select s.slot from generate_series(1, ${inboxLimit}::int) as s (slot)
              where not exists (select from webhook_inboxes i where i.club_id = ${club_id} and i.slot = s.slot)
              order by s.slot limit 1
            ), inserted as (
              insert into webhook_inboxes (
                club_id, id, slot, token_hash, token, status, delay_ms, retry_after_seconds, created_at, expires_at
              )
              select ${club_id}::uuid, ${inbox.id}::uuid, free.slot, ${inbox.token_hash}::bytea, ${inbox.token}::bytea,
                ${inbox.status}::smallint, ${inbox.delay_ms}::int, ${inbox.retry_after_seconds}::int,
                ${DateTime.toDateUtc(inbox.created_at)}::timestamptz,
                ${DateTime.toDateUtc(inbox.expires_at)}::timestamptz
              from free
              on conflict (club_id, slot) do nothing returning 1
            )
            select exists (select from free) as has_room, exists (select from inserted) as inserted`
        ).pipe(decodeInsertion)

      const insert = Effect.fn("PlayRepo.insert")(function*(club_id: ClubId, inbox: NewInbox) {
        const at = DateTime.toDateUtc(inbox.created_at)
        yield* sql`delete from webhook_inboxes where club_id = ${club_id} and expires_at <= ${at}`
        const { inserted } = yield* Effect.repeat(tryInsert(club_id, inbox), {
          while: ({ has_room, inserted }) => has_room && !inserted
        })
        return inserted
      }, Effect.orDie)

      const update = Effect.fn("PlayRepo.update")(function*(
        club_id: ClubId,
        id: InboxId,
        { delay_ms, retry_after_seconds, status }: Partial<ConfiguredAnswer>
      ) {
        const at = yield* now
        return yield* audited((audit) =>
          sql`
              ${audit.with}
              update webhook_inboxes i set
                status = coalesce(${status ?? null}::smallint, i.status),
                delay_ms = coalesce(${delay_ms ?? null}::int, i.delay_ms),
                retry_after_seconds =
                ${retry_after_seconds === undefined ? sql`i.retry_after_seconds` : sql`${retry_after_seconds}::int`}
              where i.club_id = ${club_id} and i.id = ${id} and i.expires_at > ${at}
              returning ${columns}`
        ).pipe(decodeInbox)
      })

      const remove = Effect.fn("PlayRepo.remove")(function*(club_id: ClubId, id: InboxId) {
        const at = yield* now
        const removed = yield* audited((audit) =>
          sql`
            ${audit.with}
            delete from webhook_inboxes
            where club_id = ${club_id} and id = ${id} and expires_at > ${at} returning 1`
        )
        return removed.length > 0
      }, Effect.orDie)

      const requestColumns = sql`
        r.id, r.number::int as number, r.received_at, r.method, r.status, r.delay_ms, r.head, r.message is not null and exists (
          select from webhook_inbox_requests b
          where b.club_id = r.club_id and b.inbox_id = r.inbox_id and b.message = r.message and b.number < r.number
        ) as repeated`

      const living = (club_id: ClubId, id: InboxId, at: Date) =>
        sql`
          webhook_inboxes i join webhook_inbox_requests r on r.club_id = i.club_id and r.inbox_id = i.id
          where i.club_id = ${club_id} and i.id = ${id} and i.expires_at > ${at}`

      const requests = Effect.fn("PlayRepo.requests")(function*(club_id: ClubId, id: InboxId, span: Span) {
        const part = "after" in span
          ? sql`r.number > ${span.after} order by r.number`
          : sql`(${span.before}::bigint is null or r.number < ${span.before}::bigint)
              order by r.number desc limit ${span.limit}`
        return yield* sql`select ${requestColumns} from ${living(club_id, id, yield* now)} and ${part}`
          .pipe(decodeRequests)
      })

      const request = Effect.fn("PlayRepo.request")(function*(
        club_id: ClubId,
        id: InboxId,
        request_id: InboxRequestId
      ) {
        return yield* sql`
            select ${requestColumns}, r.body from ${living(club_id, id, yield* now)} and r.id = ${request_id}`
          .pipe(decodeRequest)
      })

      const removeUntil = Effect.fn("PlayRepo.removeUntil")(function*(at: DateTime.Utc) {
        const removed = yield* sql`
          delete from webhook_inboxes where expires_at <= ${DateTime.toDateUtc(at)} returning 1`
        return removed.length
      }, Effect.orDie)

      return PlayRepo.of({ list, find, insert, update, remove, requests, request, removeUntil })
    })
  )
}
