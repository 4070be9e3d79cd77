import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { EventType } from "../../events/EventType.ts"
import { audited } from "../../identity/audit/AuditFragment.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { instant, texts } from "../../platform/sql/Arrays.ts"
import { first, one, rows } from "../../platform/sql/Rows.ts"
import { EndpointId } from "../model/EndpointId.ts"
import { EndpointStatus } from "../model/EndpointStatus.ts"
import { Signing } from "../model/Signing.ts"
import { endpointLimit, overlapLimit, WebhookEndpoint } from "./Endpoint.ts"
import { endpointInbox, endpointKind } from "./endpointKind.ts"
import type { FilterJson } from "./filter/StoredFilter.ts"
import { livingEndpoints } from "./livingEndpoints.ts"
import type { SealedKey } from "./SealedKey.ts"
import { secretEndsAt } from "./secretEndsAt.ts"

/** An endpoint before its first save. */
interface NewEndpoint {
  readonly id: EndpointId
  readonly url: string
  readonly description: string
  readonly event_types: ReadonlyArray<EventType>
  readonly filter: FilterJson | null
  readonly headers: SealedHeaders
  readonly status: "enabled" | "paused"
  readonly notices: boolean
  /** Sealed. */
  readonly secret: Uint8Array
  readonly signing: Signing
  /** Null where only the secret signs. */
  readonly key: SealedKey | null
  /** When a listener is removed unless it polls before; null makes an endpoint with an address. */
  readonly listening_until: DateTime.Utc | null
}

const EndpointSettings = Schema.Struct({
  url: WebhookEndpoint.fields.url,
  description: WebhookEndpoint.fields.description,
  event_types: WebhookEndpoint.fields.event_types,
  filter: WebhookEndpoint.fields.filter,
  notices: WebhookEndpoint.fields.notices,
  signing: Signing
})
/** The settings that an administrator changes. */
export type EndpointSettings = typeof EndpointSettings.Type

/** Headers of an endpoint's own, sealed, and their names. */
export interface SealedHeaders {
  readonly sealed: Uint8Array | null
  readonly names: ReadonlyArray<string>
}

export const noHeaders: SealedHeaders = { sealed: null, names: [] }

const LockedEndpoint = Schema.Struct({
  id: EndpointId,
  kind: WebhookEndpoint.fields.kind,
  status: EndpointStatus,
  has_key: Schema.Boolean,
  ...EndpointSettings.fields,
  /** Sealed. */
  headers: Schema.NullOr(Schema.Uint8Array)
})
/** An endpoint whose row is locked: it stays as it is until the transaction ends. */
export type LockedEndpoint = typeof LockedEndpoint.Type

const json = (filter: FilterJson | null) => filter === null ? null : JSON.stringify(filter)

const decodeEndpoints = rows(WebhookEndpoint)
const decodeLocked = first(LockedEndpoint)
const decodeInsertion = one(Schema.Struct({ has_room: Schema.Boolean, inserted: Schema.Boolean }))

/** A club's endpoints. Deleted ones are never found. */
export class EndpointsRepo extends Context.Service<EndpointsRepo, {
  /** Oldest first, from the one after `after` on; one more than the limit if there are more. */
  list(
    club_id: ClubId,
    page: { readonly after: Option.Option<string>; readonly limit: number }
  ): Effect.Effect<ReadonlyArray<WebhookEndpoint>>
  find(club_id: ClubId, id: EndpointId): Effect.Effect<Option.Option<WebhookEndpoint>>
  /** False, and nothing is inserted, if the club has as many as it may. The caller makes its lane. */
  insert(club_id: ClubId, endpoint: NewEndpoint): Effect.Effect<boolean>
  /** Locks the endpoint, to change it or to add deliveries. Several transactions may add deliveries at once. */
  lock(club_id: ClubId, id: EndpointId, why: "to change" | "to add"): Effect.Effect<Option.Option<LockedEndpoint>>
  /** `key` is its first one. Null if it has one, or needs no key. */
  update(club_id: ClubId, id: EndpointId, settings: EndpointSettings, key: SealedKey | null): Effect.Effect<void>
  setHeaders(club_id: ClubId, id: EndpointId, headers: SealedHeaders): Effect.Effect<void>
  /** `disabled` is by a person. */
  setStatus(club_id: ClubId, id: EndpointId, status: EndpointStatus): Effect.Effect<void>
  /**
   * The newest secret and its key become previous ones and sign until `previous_until`. Earlier ones sign until their
   * own ends. False, and nothing changes, while `overlapLimit` previous secrets sign. The caller has locked the
   * endpoint, to change it. `key` is null for an endpoint without a key.
   */
  rotate(
    club_id: ClubId,
    id: EndpointId,
    next: { readonly secret: Uint8Array; readonly key: SealedKey | null },
    previous_until: DateTime.Utc
  ): Effect.Effect<boolean>
  /**
   * Deletes it with its secrets. False if there is no such endpoint. With `listening_until`, also false if a poll has
   * moved the endpoint's own past it.
   */
  remove(club_id: ClubId, id: EndpointId, listening_until?: DateTime.Utc): Effect.Effect<boolean>
}>()("turma/webhooks/endpoint/EndpointsRepo") {
  static readonly layer = Layer.effect(
    EndpointsRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)

      // A process of an older version may have written `ed25519`.
      const signing = sql`case when e.signing = 'hmac' then 'hmac' else 'both' end`

      const read = Effect.fnUntraced(function*(from: Statement.Fragment) {
        return yield* sql`
          select e.id, ${endpointKind(sql)} as kind, e.url, ${endpointInbox(sql)} as inbox_id, e.description, e.status,
            e.event_types, e.filter, e.header_names, e.notices,
            l.hold_until, e.disabled_reason, e.disabled_at,
            l.consecutive_failures, l.last_success_at, l.last_failure_at,
            ${secretEndsAt(sql, yield* now)} as previous_secret_expires_at,
            ${signing} as signing, 'whpk_' || encode(e.public_key, 'base64') as public_key, e.listening_until, l.max_per_second,
            l.max_in_flight, l.drain_rate, e.created_at, e.updated_at
          from ${from} e join webhook_lanes l on l.club_id = e.club_id and l.endpoint_id = e.id
          order by e.id`.pipe(decodeEndpoints)
      })

      const named = (id: EndpointId) => sql`e.id = ${id}`

      const list = Effect.fn("EndpointsRepo.list")(function*(
        club_id: ClubId,
        { after, limit }: { readonly after: Option.Option<string>; readonly limit: number }
      ) {
        const later = Option.match(after, { onNone: () => sql`true`, onSome: (id) => sql`id > ${id}` })
        return yield* read(sql`
            (
              select * from ${livingEndpoints(sql, club_id)} living where ${later} order by id limit ${limit + 1}
            )`)
      })

      const find = Effect.fn("EndpointsRepo.find")(function*(club_id: ClubId, id: EndpointId) {
        const [endpoint] = yield* read(sql`
          (select * from webhook_endpoints e where e.club_id = ${club_id} and ${named(id)} and e.deleted_at is null)`)
        return Option.fromUndefinedOr(endpoint)
      })

      // Of two that insert into the same slot at once, the later one waits for the earlier one and, if that is committed,
      // inserts nothing.
      const tryInsert = Effect.fnUntraced(function*(club_id: ClubId, endpoint: NewEndpoint) {
        const created_at = yield* now
        return yield* audited((audit) =>
          sql`
            with ${audit.before} free as materialized (
              select s.slot from generate_series(1, ${endpointLimit}::int) as s (slot)
              where not exists (
                select from webhook_endpoints e
                where e.club_id = ${club_id} and e.slot = s.slot and e.deleted_at is null
              )
              order by s.slot limit 1
            ), inserted as (
              insert into webhook_endpoints (
                club_id, id, slot, kind, url, description, event_types, filter, headers, header_names, status, notices,
                secret, signing, signing_key, public_key, listening_until, created_at, updated_at
              )
              select ${club_id}::uuid, ${endpoint.id}::uuid, free.slot,
              ${endpoint.listening_until === null ? "https" : "listener"}, ${endpoint.url}, ${endpoint.description},
                ${texts(endpoint.event_types)}, ${json(endpoint.filter)}::jsonb, ${endpoint.headers.sealed}::bytea,
                ${texts(endpoint.headers.names)}, ${endpoint.status}, ${endpoint.notices}::boolean,
                ${endpoint.secret}::bytea, ${endpoint.signing}, ${endpoint.key?.signing_key ?? null}::bytea,
                ${endpoint.key?.public_key ?? null}::bytea,
                ${instant(endpoint.listening_until)}::timestamptz,
                ${created_at}::timestamptz, ${created_at}::timestamptz
              from free
              on conflict (club_id, slot) where deleted_at is null do nothing
              returning 1
            )
            select exists (select from free) as has_room, exists (select from inserted) as inserted
        `
        ).pipe(decodeInsertion)
      })

      const insert = Effect.fn("EndpointsRepo.insert")(function*(club_id: ClubId, endpoint: NewEndpoint) {
        const { inserted } = yield* Effect.repeat(tryInsert(club_id, endpoint), {
          while: ({ has_room, inserted }) => has_room && !inserted
        })
        return inserted
      }, Effect.orDie)

      // Neither lock blocks inserts of deliveries and lanes that refer to the endpoint.
      const locks = { "to change": sql`for no key update`, "to add": sql`for share` }

      const lock = Effect.fn("EndpointsRepo.lock")(function*(
        club_id: ClubId,
        id: EndpointId,
        why: "to change" | "to add"
      ) {
        return yield* sql`
            select e.id,
            ${endpointKind(sql)} as kind, e.status, e.url, e.description, e.event_types, e.filter, e.headers,
              e.notices, ${signing} as signing,
              e.signing_key is not null as has_key from webhook_endpoints e
            where e.club_id = ${club_id} and ${named(id)} and e.deleted_at is null ${locks[why]}`.pipe(decodeLocked)
      })

      const update = Effect.fn("EndpointsRepo.update")(
        function*(
          club_id: ClubId,
          id: EndpointId,
          { description, event_types, filter, notices, signing, url }: EndpointSettings,
          key: SealedKey | null
        ) {
          const at = yield* now
          yield* audited((audit) =>
            sql`
              ${audit.with}
              update webhook_endpoints
              set url = ${url}, description = ${description}, notices = ${notices}, event_types = ${texts(event_types)},
                filter = ${json(filter)}::jsonb, signing = ${signing},
                newest_proved = case when url = ${url} and signing = ${signing} then newest_proved end,
                signing_key = coalesce(${key?.signing_key ?? null}::bytea, signing_key),
                public_key = coalesce(${key?.public_key ?? null}::bytea, public_key), updated_at = ${at}
              where club_id = ${club_id} and id = ${id} and deleted_at is null`
          )
        },
        Effect.orDie
      )

      const setHeaders = Effect.fn("EndpointsRepo.setHeaders")(
        function*(club_id: ClubId, id: EndpointId, { names, sealed }: SealedHeaders) {
          const at = yield* now
          yield* audited((audit) =>
            sql`
              ${audit.with}
              update webhook_endpoints
              set headers = ${sealed}::bytea, header_names = ${texts(names)}, updated_at = ${at}
              where club_id = ${club_id} and id = ${id} and deleted_at is null`
          )
        },
        Effect.orDie
      )

      const setStatus = Effect.fn("EndpointsRepo.setStatus")(
        function*(club_id: ClubId, id: EndpointId, status: EndpointStatus) {
          const at = yield* now
          const disabled = status === "disabled" ? { reason: "manual", at } : { reason: null, at: null }
          yield* audited((audit) =>
            sql`
              ${audit.with}
              update webhook_endpoints
              set status = ${status}, disabled_reason = ${disabled.reason}, disabled_at = ${disabled.at}, updated_at = ${at}
              where club_id = ${club_id} and id = ${id} and deleted_at is null`
          )
        },
        Effect.orDie
      )

      const rotate = Effect.fn("EndpointsRepo.rotate")(
        function*(
          club_id: ClubId,
          id: EndpointId,
          { key, secret }: { readonly secret: Uint8Array; readonly key: SealedKey | null },
          previous_until: DateTime.Utc
        ) {
          const at = yield* now
          const rows = yield* audited((audit) =>
            sql`
              with ${audit.before} replaced as (
                insert into webhook_previous_secrets (
                  club_id, endpoint_id, number, secret, signing_key, public_key, expires_at
                )
                select e.club_id, e.id, coalesce(before.newest, 0) + 1, e.secret, e.signing_key, e.public_key,
                ${DateTime.toDateUtc(previous_until)}
                from webhook_endpoints e cross join (
                  select max(number) as newest, count(*) filter (where expires_at > ${at}) as signing
                  from webhook_previous_secrets where club_id = ${club_id} and endpoint_id = ${id}
                ) before
                where e.club_id = ${club_id} and e.id = ${id} and e.deleted_at is null
                  and before.signing < ${overlapLimit}
                returning club_id, endpoint_id
              )
              update webhook_endpoints e set secret = ${secret}, signing_key = ${key?.signing_key ?? null}::bytea,
                public_key = ${key?.public_key ?? null}::bytea, newest_proved = null, updated_at = ${at}
              from replaced where e.club_id = replaced.club_id and e.id = replaced.endpoint_id returning 1`
          )
          return rows.length > 0
        },
        Effect.orDie
      )

      const remove = Effect.fn("EndpointsRepo.remove")(function*(
        club_id: ClubId,
        id: EndpointId,
        listening_until?: DateTime.Utc
      ) {
        const at = yield* now
        const unpolled = listening_until === undefined
          ? sql`true`
          : sql`listening_until <= ${DateTime.toDateUtc(listening_until)}`
        const rows = yield* audited((audit) =>
          sql`
            ${audit.with}
            update webhook_endpoints set deleted_at = ${at}, updated_at = ${at}, secret = null, signing_key = null,
              public_key = null, headers = null, header_names = '{}'
            where club_id = ${club_id} and id = ${id} and deleted_at is null and ${unpolled} returning 1`
        )
        // After the row is locked: a rotation either came before, and this sees its secret, or it finds no endpoint.
        yield* sql`delete from webhook_previous_secrets where club_id = ${club_id} and endpoint_id = ${id}`
        return rows.length > 0
      }, Effect.orDie)

      return EndpointsRepo.of({ list, find, insert, lock, update, setHeaders, setStatus, rotate, remove })
    })
  )
}
