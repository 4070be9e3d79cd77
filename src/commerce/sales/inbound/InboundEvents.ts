import { Context, DateTime, Duration, Effect, Function, Layer, Option, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { audited } from "../../../identity/audit/AuditFragment.ts"
import { seesDocuments } from "../../../identity/authentication/Authentication.ts"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { MemberIdentity } from "../../../identity/people/Identity.ts"
import { withoutDocumentsIn } from "../../../identity/people/TaxDocuments.ts"
import { NotFound } from "../../../platform/http/errors.ts"
import { readLightJson, turnFor } from "../../../platform/http/json/Json.ts"
import {
  afterCursor,
  type InvalidCursor,
  type PageAnswer,
  pageOf,
  type PageRequest
} from "../../../platform/http/Page.ts"
import { Instant } from "../../../platform/schema/Instant.ts"
import { faultsDie, firstOr, inTransaction, one, rows } from "../../../platform/sql/Rows.ts"
import { Sealing } from "../../../platform/sql/Sealing.ts"
import { floorOf } from "../../../platform/sql/Uuid7.ts"
import { PayloadPurged } from "../../../webhooks/history/delivery/Delivery.ts"
import { platformOf } from "../platform/Platforms.ts"
import {
  bindingOfRaw,
  type ClubEventQuery,
  type EventFilter,
  EventNotReprocessable,
  InboundEvent,
  type InboundEventDetail,
  type InboundEventId
} from "./InboundEvent.ts"
import { InboundSignal } from "./InboundSignal.ts"
import type { InboundWebhookId } from "./InboundWebhook.ts"
import { isSerializable } from "./SerializableJson.ts"
import { decodeRequest } from "./StoredRequest.ts"

const WithRaw = Schema.Struct({ ...InboundEvent.fields, raw: Schema.NullOr(Schema.Uint8Array) })

const decodeEvents = rows(InboundEvent)
const decodeEvent = firstOr(InboundEvent, () => new NotFound())
const decodeRequeued = one(InboundEvent)
const decodeWithRaw = firstOr(WithRaw, () => new NotFound())

const decodeOldest = one(Schema.Struct({ oldest: Schema.OptionFromNullOr(Instant) }))

/** The largest distance between the time in the id of an event and its reception. Reading the body takes time. */
const leeway = Duration.hours(1)

const purged = new PayloadPurged({ error: { message: "The body of this event no longer exists" } })

const reprocessable: ReadonlySet<unknown> = new Set(["unmapped", "failed", "ignored"])

/** The events from sales platforms and their outcomes. `NotFound`: this club has no such address or event. */
export class InboundEvents extends Context.Service<InboundEvents, {
  /** Newest first. Those of a deleted address too, for as long as they are kept. */
  list(
    club_id: ClubId,
    hook: InboundWebhookId,
    query: PageRequest & { readonly outcome?: EventFilter | undefined }
  ): Effect.Effect<PageAnswer<InboundEvent>, InvalidCursor | NotFound>
  /** Those of all addresses, newest first, in one statement. */
  listAll(club_id: ClubId, query: ClubEventQuery): Effect.Effect<PageAnswer<InboundEvent>, InvalidCursor>
  /** With the body. Tax documents in it are masked unless the member may see them. */
  get(member: MemberIdentity, id: InboundEventId): Effect.Effect<InboundEventDetail, NotFound>
  /** Puts it back into the queue. */
  reprocess(
    club_id: ClubId,
    id: InboundEventId
  ): Effect.Effect<InboundEvent, EventNotReprocessable | NotFound | PayloadPurged>
  /** When the event that has waited longest became due, of all clubs. */
  readonly oldestDue: Effect.Effect<Option.Option<DateTime.Utc>>
}>()("turma/commerce/sales/inbound/InboundEvents") {
  static readonly layer = Layer.effect(
    InboundEvents,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const sealing = yield* Sealing
      const signal = yield* InboundSignal

      const columns = sql`
        id, inbound_webhook_id, platform, event_name, external_event_id, outcome, detail, student_id, received_at,
        finished_at, failures, raw is not null as raw_available,
        case when cardinality(product_ids) > 0
          then json_build_object('external_id', product_ids[1], 'name', product_names[1])
        end as product`

      const olderThan = Effect.fnUntraced(function*(cursor: string | undefined) {
        return Option.match(yield* afterCursor(cursor), { onNone: () => sql`true`, onSome: (id) => sql`id < ${id}` })
      })

      const withOutcome = (outcome: EventFilter | undefined) => {
        if (outcome === undefined) return sql`true`
        return outcome === "pending" ? sql`outcome is null` : sql`outcome = ${outcome}`
      }

      const list = Effect.fn("InboundEvents.list")(
        function*(
          club_id: ClubId,
          hook: InboundWebhookId,
          { cursor, limit, outcome }: PageRequest & { readonly outcome?: EventFilter | undefined }
        ) {
          const before = yield* olderThan(cursor)
          const hooks = yield* sql`select 1 from inbound_webhooks where club_id = ${club_id} and id = ${hook}`
          if (hooks.length === 0) return yield* new NotFound()
          const rows = yield* sql`
            select ${columns} from inbound_events
            where club_id = ${club_id} and inbound_webhook_id = ${hook} and ${withOutcome(outcome)} and ${before}
            order by id desc limit ${limit + 1}`.pipe(decodeEvents)
          return pageOf(rows, limit)
        },
        faultsDie
      )

      // The time of an id bounds the read. The time of the row decides.
      const receivedWithin = ({ since, until }: ClubEventQuery) =>
        sql.and([
          since === undefined
            ? sql`true`
            : sql`id >= ${floorOf(DateTime.subtractDuration(since, leeway))}::uuid and received_at >=
              ${DateTime.toDateUtc(since)}::timestamptz`,
          until === undefined
            ? sql`true`
            : sql`id < ${floorOf(DateTime.addDuration(until, leeway))}::uuid and received_at <
              ${DateTime.toDateUtc(until)}::timestamptz`
        ])

      // An index has the newest ones of each address, and a club has few addresses. So a page comes from few rows.
      const listAll = Effect.fn("InboundEvents.listAll")(function*(club_id: ClubId, query: ClubEventQuery) {
        const { cursor, inbound_webhook_id, limit, outcome, platform } = query
        const before = yield* olderThan(cursor)
        const rows = yield* sql`
          select ${columns} from inbound_events
          where club_id = ${club_id} and id = any(array(
            select newest.id from inbound_webhooks w cross join lateral (
              select id from inbound_events
              where club_id = w.club_id and inbound_webhook_id = w.id and ${withOutcome(outcome)} and ${before}
                and ${receivedWithin(query)}
              order by id desc limit ${limit + 1}
            ) newest
            where w.club_id = ${club_id} and ${platform === undefined ? sql`true` : sql`w.platform = ${platform}`}
              and ${inbound_webhook_id === undefined ? sql`true` : sql`w.id = ${inbound_webhook_id}`}
            order by newest.id desc limit ${limit + 1}
          ))
          order by id desc`.pipe(decodeEvents)
        return pageOf(rows, limit)
      })

      const bodyOf = Effect.fnUntraced(function*({ id, platform, raw }: typeof WithRaw.Type) {
        if (raw === null) return null
        yield* turnFor(raw.length)
        const stored = decodeRequest(yield* sealing.open(raw, bindingOfRaw(id)))
        const json = Option.filter(Option.flatMap(stored, ({ body }) => readLightJson(body)), isSerializable)
        return Option.getOrNull(Option.map(json, platformOf(platform).withoutSecret ?? Function.identity))
      }, Effect.orDie)

      const get = Effect.fn("InboundEvents.get")(function*(member: MemberIdentity, id: InboundEventId) {
        const event = yield* sql`
          select ${columns}, raw from inbound_events where club_id = ${member.club.id} and id = ${id}`
          .pipe(decodeWithRaw)
        const body = yield* bodyOf(event)
        return { ...Struct.omit(event, ["raw"]), body: seesDocuments(member) ? body : withoutDocumentsIn(body) }
      })

      const lockEvent = (club_id: ClubId, id: InboundEventId) =>
        sql`select ${columns} from inbound_events where club_id = ${club_id} and id = ${id} for no key update`
          .pipe(decodeEvent)

      const reprocess = Effect.fn("InboundEvents.reprocess")(function*(club_id: ClubId, id: InboundEventId) {
        const event = yield* lockEvent(club_id, id)
        if (!reprocessable.has(event.outcome)) return yield* new EventNotReprocessable()
        if (!event.raw_available) return yield* purged
        const at = DateTime.toDateUtc(yield* DateTime.now)
        const requeued = yield* audited((audit) =>
          sql`
            ${audit.with}
            update inbound_events
            set due_at = ${at}, outcome = null, finished_at = null, detail = null,
              failures = 0, queued_at = null
            where club_id = ${club_id} and id = ${id}
            returning ${columns}`
        ).pipe(decodeRequeued)
        yield* sql.afterCommit(signal.notify)
        return requeued
      }, inTransaction(sql))

      const oldestDue = Effect.gen(function*() {
        const { oldest } = yield* sql`
          select min(due_at) as oldest from inbound_events where due_at <= ${DateTime.toDateUtc(yield* DateTime.now)}`
          .pipe(decodeOldest)
        return oldest
      })

      return InboundEvents.of({ list, listAll, get, reprocess, oldestDue })
    })
  ).pipe(Layer.provide(InboundSignal.layer))
}
