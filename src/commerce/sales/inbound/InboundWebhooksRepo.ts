import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { audited } from "../../../identity/audit/AuditFragment.ts"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { first, rows } from "../../../platform/sql/Rows.ts"
import type { PlatformKey } from "../platform/Platform.ts"
import { InboundWebhook, InboundWebhookId, inboundWebhookLimit } from "./InboundWebhook.ts"

const { url: _, ...columns } = InboundWebhook.fields
const InboundWebhookRow = Schema.Struct({ ...columns, token: Schema.Uint8Array })
/** An address with its sealed token. */
export type InboundWebhookRow = typeof InboundWebhookRow.Type

const LockedRow = Schema.Struct({ id: InboundWebhookId, platform: InboundWebhook.fields.platform })

/** A new address; secret and token are sealed. */
export interface NewInboundWebhook {
  readonly id: InboundWebhookId
  readonly platform: PlatformKey
  readonly name: string
  readonly secret: Uint8Array | null
  readonly token_only: boolean
  readonly token: Uint8Array
  readonly token_hash: Uint8Array
}

/** Absent is unchanged. */
export interface InboundWebhookChanges {
  readonly name?: string | undefined
  readonly enabled?: boolean | undefined
  readonly token_only?: boolean | undefined
  /** Sealed; null takes it away. */
  readonly secret?: Uint8Array | null | undefined
}

const decodeRows = rows(InboundWebhookRow)
const decodeRow = first(InboundWebhookRow)
const decodeLocked = first(LockedRow)

/** The table `inbound_webhooks`. Deleted rows are never returned. */
export class InboundWebhooksRepo extends Context.Service<InboundWebhooksRepo, {
  /** Oldest first; one more than the limit, to see whether there are more. */
  list(
    club_id: ClubId,
    page: { readonly after: Option.Option<string>; readonly limit: number }
  ): Effect.Effect<ReadonlyArray<InboundWebhookRow>>
  find(club_id: ClubId, id: InboundWebhookId): Effect.Effect<Option.Option<InboundWebhookRow>>
  /** Locks an address until the caller's transaction ends, and returns its platform. */
  lock(club_id: ClubId, id: InboundWebhookId): Effect.Effect<Option.Option<PlatformKey>>
  /** False, and nothing is inserted, if the club is at the limit. */
  insert(club_id: ClubId, hook: NewInboundWebhook): Effect.Effect<boolean>
  update(club_id: ClubId, id: InboundWebhookId, changes: InboundWebhookChanges): Effect.Effect<void>
  /** The previous token works until then, older ones stop at once. False: there is no such address. */
  rotate(
    club_id: ClubId,
    id: InboundWebhookId,
    token: Pick<NewInboundWebhook, "token" | "token_hash">,
    previous_until: DateTime.Utc
  ): Effect.Effect<boolean>
  /** Marks it deleted, without secret and tokens: its events still name it. False: there is no such address. */
  remove(club_id: ClubId, id: InboundWebhookId): Effect.Effect<boolean>
}>()("turma/commerce/sales/inbound/InboundWebhooksRepo") {
  static readonly layer = Layer.effect(
    InboundWebhooksRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)

      const live = (club_id: ClubId, id: InboundWebhookId) =>
        sql`club_id = ${club_id} and id = ${id} and deleted_at is null`

      const read = (club_id: ClubId, rest: ReturnType<typeof live>) =>
        Effect.flatMap(now, (at) =>
          sql`
            select id, platform, name, token, secret is not null as secret_set, token_only, enabled, created_at, updated_at,
              case when previous_token_expires_at > ${at} then previous_token_expires_at end as previous_token_expires_at,
              (
                select e.received_at from inbound_events e
                where e.club_id = w.club_id and e.inbound_webhook_id = w.id
                order by e.id desc limit 1
              ) as last_event_at
            from inbound_webhooks w
            where club_id = ${club_id} and deleted_at is null and ${rest}`)

      const list = Effect.fn("InboundWebhooksRepo.list")((
        club_id: ClubId,
        { after, limit }: { readonly after: Option.Option<string>; readonly limit: number }
      ) => {
        const later = Option.match(after, { onNone: () => sql`true`, onSome: (id) => sql`id > ${id}` })
        return read(club_id, sql`${later} order by id limit ${limit + 1}`).pipe(decodeRows)
      })

      const find = Effect.fn("InboundWebhooksRepo.find")((club_id: ClubId, id: InboundWebhookId) =>
        read(club_id, sql`id = ${id}`).pipe(decodeRow)
      )

      // `no key update`: events that are being received reference the row and must not wait.
      const lock = Effect.fn("InboundWebhooksRepo.lock")(function*(club_id: ClubId, id: InboundWebhookId) {
        const found = yield* sql`
          select id, platform from inbound_webhooks where ${live(club_id, id)} for no key update`.pipe(decodeLocked)
        return Option.map(found, ({ platform }) => platform)
      })

      // Inserts for one club run one after another, so that each counts the others.
      const insert = Effect.fn("InboundWebhooksRepo.insert")(
        function*(club_id: ClubId, hook: NewInboundWebhook) {
          yield* sql`select pg_advisory_xact_lock(hashtextextended(${`inbound_webhooks:${club_id}`}, 0))`
          const at = yield* now
          const rows = yield* audited((audit) =>
            sql`
              ${audit.with}
              insert into inbound_webhooks (
                club_id, id, platform, name, enabled, token_only, secret, token, token_hash, created_at, updated_at
              )
              select ${club_id}::uuid, ${hook.id}::uuid, ${hook.platform}, ${hook.name}, true, ${hook.token_only}::boolean,
                ${hook.secret}::bytea, ${hook.token}::bytea, ${hook.token_hash}::bytea, ${at}::timestamptz,
                ${at}::timestamptz
              where (
                select count(*) from inbound_webhooks where club_id = ${club_id} and deleted_at is null
              ) < ${inboundWebhookLimit}
              returning 1`
          )
          return rows.length > 0
        },
        sql.withTransaction,
        Effect.orDie
      )

      const update = Effect.fn("InboundWebhooksRepo.update")(
        function*(club_id: ClubId, id: InboundWebhookId, changes: InboundWebhookChanges) {
          const { enabled = null, name = null, secret = null, token_only = null } = changes
          const at = yield* now
          yield* audited((audit) =>
            sql`
              ${audit.with}
              update inbound_webhooks set
                name = coalesce(${name}, name),
                enabled = coalesce(${enabled}::boolean, enabled),
                token_only = coalesce(${token_only}::boolean, token_only),
                secret = case when ${changes.secret !== undefined} then ${secret}::bytea else secret end,
                updated_at = ${at}
              where ${live(club_id, id)}`
          )
        },
        Effect.orDie
      )

      const rotate = Effect.fn("InboundWebhooksRepo.rotate")(
        function*(
          club_id: ClubId,
          id: InboundWebhookId,
          { token, token_hash }: Pick<NewInboundWebhook, "token" | "token_hash">,
          previous_until: DateTime.Utc
        ) {
          const at = yield* now
          const rows = yield* audited((audit) =>
            sql`
              ${audit.with}
              update inbound_webhooks
              set previous_token_hash = token_hash, previous_token_expires_at = ${DateTime.toDateUtc(previous_until)},
                token = ${token}, token_hash = ${token_hash}, updated_at = ${at}
              where ${live(club_id, id)} returning 1`
          )
          return rows.length > 0
        },
        Effect.orDie
      )

      const remove = Effect.fn("InboundWebhooksRepo.remove")(function*(club_id: ClubId, id: InboundWebhookId) {
        const at = yield* now
        const rows = yield* audited((audit) =>
          sql`
            ${audit.with}
            update inbound_webhooks
            set deleted_at = ${at}, updated_at = ${at}, secret = null, token = null, token_hash = null,
              previous_token_hash = null, previous_token_expires_at = null
            where ${live(club_id, id)} returning 1`
        )
        return rows.length > 0
      }, Effect.orDie)

      return InboundWebhooksRepo.of({ list, find, lock, insert, update, rotate, remove })
    })
  )
}
