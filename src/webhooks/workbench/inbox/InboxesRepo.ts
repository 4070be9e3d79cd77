import { Context, DateTime, Effect, Layer, type Option, type Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { EventId } from "../../../events/EventType.ts"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { hashToken } from "../../../identity/tokens/Token.ts"
import { first, rows } from "../../../platform/sql/Rows.ts"
import { EndpointId } from "../../model/EndpointId.ts"
import { type InboxId, inboxScheme } from "../../model/InboxId.ts"
import { type InboxRequestId, keptRequests, LivingInbox } from "./Inbox.ts"
import { playPath } from "./PlayUrl.ts"

const SealedSigner = Schema.Struct({
  endpoint_id: EndpointId,
  is_newest: Schema.Boolean,
  /** Sealed. */
  secret: Schema.Uint8Array,
  public_key: Schema.NullOr(Schema.Uint8Array)
})

const decodeLiving = first(LivingInbox)
const decodeSigners = rows(SealedSigner)

/** A request as it is stored: sealed. */
export interface StoredRequest {
  readonly id: InboxRequestId
  readonly method: string
  readonly head: Uint8Array
  readonly body: Uint8Array | null
  /** Of its `webhook-id`, so that a repeat is known. */
  readonly message: Uint8Array | null
}

/** How the URL of an endpoint names an inbox: by its id, or as it was before, by its own URL. */
export type NamedInbox = { readonly id: InboxId } | { readonly token: Redacted.Redacted }

/** Our own message, and its club. */
export interface OwnMessage {
  readonly club_id: ClubId
  /** Null for a probe, which is about nobody. */
  readonly event_id: EventId | null
}

/** Inboxes, for their senders. Inboxes past their hour never appear, even before their deletion. */
export class InboxesRepo extends Context.Service<InboxesRepo, {
  find(token: Redacted.Redacted): Effect.Effect<Option.Option<LivingInbox>>
  /** The same of one of this club, and whether the body of that message is still there; a probe's always is. */
  findFor(
    message: OwnMessage,
    named: NamedInbox
  ): Effect.Effect<Option.Option<LivingInbox & { readonly has_body: boolean }>>
  /** The secrets and keys that sign now for an endpoint of this inbox: the newest first, `limit` at most. */
  signers(inbox: LivingInbox, limit: number): Effect.Effect<ReadonlyArray<typeof SealedSigner.Type>>
  /**
   * Keeps a request. If the inbox is full, it replaces the oldest. Requests get numbers one after the other, and appear
   * in their order. False, and nothing is kept, if the inbox no longer exists, or a student was removed since `inbox`
   * was read.
   */
  keep(inbox: LivingInbox, request: StoredRequest): Effect.Effect<boolean>
}>()("turma/webhooks/workbench/inbox/InboxesRepo") {
  static readonly layer = Layer.effect(
    InboxesRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)
      const columns = sql.literal("i.club_id, i.id, i.erasures, i.status, i.delay_ms, i.retry_after_seconds")

      const find = Effect.fn("InboxesRepo.find")(function*(token: Redacted.Redacted) {
        return yield* sql`
          select ${columns} from webhook_inboxes i
          where i.token_hash = ${hashToken(token)} and i.expires_at > ${yield* now}`.pipe(decodeLiving)
      })

      const decodeFor = first(Schema.Struct({ ...LivingInbox.fields, has_body: Schema.Boolean }))

      const findFor = Effect.fn("InboxesRepo.findFor")(function*({ club_id, event_id }: OwnMessage, named: NamedInbox) {
        const which = "id" in named ? sql`i.id = ${named.id}` : sql`i.token_hash = ${hashToken(named.token)}`
        return yield* sql`
            select ${columns}, ${event_id}::uuid is null or exists (
              select from webhook_messages m where m.club_id = i.club_id and m.id = ${event_id} and m.body is not null
            ) as has_body
            from webhook_inboxes i
            where ${which} and i.club_id = ${club_id} and i.expires_at > ${yield* now}`.pipe(decodeFor)
      })

      const signers = Effect.fn("InboxesRepo.signers")(function*({ club_id, id }: LivingInbox, limit: number) {
        return yield* sql`
          with pointing as materialized (
            select e.id, e.secret, e.public_key from webhook_endpoints e
            where e.club_id = ${club_id} and e.deleted_at is null and (
              e.url = ${inboxScheme}::text || ${id}::uuid or
              sha256(convert_to(substring(e.url from ${`${playPath}(.*)$`}), 'UTF8')) = (
                select i.token_hash from webhook_inboxes i where i.club_id = ${club_id} and i.id = ${id}
              )
            )
          )
          select s.endpoint_id, s.is_newest, s.secret, s.public_key from (
            select id as endpoint_id, true as is_newest, 0 as number, secret, public_key from pointing
            union all
            select p.endpoint_id, false, p.number, p.secret, p.public_key
            from pointing e join webhook_previous_secrets p on p.club_id = ${club_id} and p.endpoint_id = e.id
            where p.expires_at > ${yield* now}
          ) s
          order by s.is_newest desc, s.number desc, s.endpoint_id limit ${limit}`.pipe(decodeSigners)
      })

      const keep = Effect.fn("InboxesRepo.keep")(function*(inbox: LivingInbox, request: StoredRequest) {
        const { club_id, delay_ms, erasures, id, status } = inbox
        const received_at = yield* now
        const kept = yield* sql`
          with numbered as (
            update webhook_inboxes set received = received + 1
            where club_id = ${club_id} and id = ${id} and erasures = ${erasures} and expires_at > ${received_at}
            returning club_id, id, received
          )
          insert into webhook_inbox_requests (
            club_id, inbox_id, slot, number, id, received_at, method, head, body, message, status, delay_ms
          )
          select n.club_id, n.id, n.received % ${keptRequests}::int, n.received, ${request.id}::uuid,
            ${received_at}::timestamptz, ${request.method}, ${request.head}::bytea, ${request.body}::bytea,
            ${request.message}::bytea, ${status}::smallint, ${delay_ms}::int
          from numbered n
          on conflict (club_id, inbox_id, slot) do update set
            number = excluded.number, id = excluded.id, received_at = excluded.received_at, method = excluded.method,
            head = excluded.head, body = excluded.body, message = excluded.message, status = excluded.status,
            delay_ms = excluded.delay_ms
          returning 1`
        return kept.length > 0
      }, Effect.orDie)

      return InboxesRepo.of({ find, findFor, signers, keep })
    })
  )
}
