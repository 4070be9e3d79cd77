import { Context, DateTime, Duration, Effect, Layer, Option, Struct } from "effect"
import type { EventId } from "../../../events/EventType.ts"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { NotFound } from "../../../platform/http/errors.ts"
import type { Locale } from "../../../platform/http/Locale.ts"
import { afterCursor, type InvalidCursor, type PageAnswer, pageOf } from "../../../platform/http/Page.ts"
import { causeOfDelivery } from "../../endpoint/causes/Cause.ts"
import { EndpointsRepo } from "../../endpoint/EndpointsRepo.ts"
import type { EndpointId } from "../../model/EndpointId.ts"
import type { WebhookDeliveryId } from "../../model/WebhookDeliveryId.ts"
import { ClubDeliveriesRepo } from "./ClubDeliveriesRepo.ts"
import type {
  ClubDeliveryQuery,
  DeliveryQuery,
  StatsWindow,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookEvent,
  WebhookStats
} from "./Delivery.ts"
import { DeliveryHistoryRepo } from "./DeliveryHistoryRepo.ts"

const windows: Readonly<Record<StatsWindow, Duration.Duration>> = { "24h": Duration.hours(24), "7d": Duration.days(7) }

/**
 * Deliveries and their results, as long as they are kept (contract, Retention). `NotFound`: this club does not have such an
 * endpoint, delivery or event.
 */
export class DeliveryHistory extends Context.Service<DeliveryHistory, {
  /**
   * Newest first. A page ends after 25 000 that do not pass the filter, so it may be short, even empty, and have a next
   * one.
   */
  list(
    club_id: ClubId,
    endpoint_id: EndpointId,
    query: DeliveryQuery
  ): Effect.Effect<PageAnswer<WebhookDelivery>, InvalidCursor | NotFound>
  /** The same of all endpoints of the club, deleted ones too. */
  listAll(club_id: ClubId, query: ClubDeliveryQuery): Effect.Effect<PageAnswer<WebhookDelivery>, InvalidCursor>
  /** The reason for a failure is in English unless the caller asks for another language. */
  get(
    club_id: ClubId,
    endpoint_id: EndpointId,
    id: WebhookDeliveryId,
    locale?: Locale
  ): Effect.Effect<WebhookDeliveryDetail, NotFound>
  stats(club_id: ClubId, endpoint_id: EndpointId, window: StatsWindow): Effect.Effect<WebhookStats, NotFound>
  /** Deliveries to deleted endpoints too. Their causes are in English unless another language is asked for. */
  event(club_id: ClubId, id: EventId, locale?: Locale): Effect.Effect<WebhookEvent, NotFound>
}>()("turma/webhooks/history/delivery/DeliveryHistory") {
  static readonly layerNoDeps = Layer.effect(
    DeliveryHistory,
    Effect.gen(function*() {
      const endpoints = yield* EndpointsRepo
      const ofClub = yield* ClubDeliveriesRepo
      const repo = yield* DeliveryHistoryRepo

      /** Reads, and at the same time asks whether there is such an endpoint. */
      const ofEndpoint = Effect.fnUntraced(function*<A>(club_id: ClubId, id: EndpointId, read: Effect.Effect<A>) {
        const [endpoint, answer] = yield* Effect.all([endpoints.find(club_id, id), read], { concurrency: "unbounded" })
        return Option.isSome(endpoint) ? answer : yield* new NotFound()
      })

      const list = Effect.fn("DeliveryHistory.list")(function*(
        club_id: ClubId,
        endpoint_id: EndpointId,
        query: DeliveryQuery
      ) {
        const before = yield* afterCursor(query.cursor)
        const { deliveries, read_to } = yield* ofEndpoint(
          club_id,
          endpoint_id,
          repo.list({ club_id, endpoint_id }, query, before)
        )
        return pageOf(deliveries, query.limit, read_to)
      })

      const listAll = Effect.fn("DeliveryHistory.listAll")(function*(club_id: ClubId, query: ClubDeliveryQuery) {
        const before = yield* afterCursor(query.cursor)
        const { endpoint_id } = query
        const { deliveries, read_to } = yield* endpoint_id === undefined
          ? ofClub.list(club_id, query, before)
          : repo.list({ club_id, endpoint_id }, query, before)
        return pageOf(deliveries, query.limit, read_to)
      })

      const get = Effect.fn("DeliveryHistory.get")(function*(
        club_id: ClubId,
        endpoint_id: EndpointId,
        id: WebhookDeliveryId,
        locale?: Locale
      ) {
        const [endpoint, found] = yield* Effect.all([
          endpoints.find(club_id, endpoint_id),
          repo.detail({ club_id, endpoint_id }, id)
        ], { concurrency: "unbounded" })
        if (Option.isNone(endpoint) || Option.isNone(found)) return yield* new NotFound()
        const { certificate_ends_at, ...delivery } = found.value
        const { attempts } = delivery
        const diagnosis = causeOfDelivery(
          delivery,
          { attempts, certificate_ends_at, endpoint: endpoint.value },
          locale
        )
        return { ...delivery, diagnosis }
      })

      const stats = Effect.fn("DeliveryHistory.stats")(function*(
        club_id: ClubId,
        endpoint_id: EndpointId,
        window: StatsWindow
      ) {
        const from = DateTime.subtractDuration(yield* DateTime.now, windows[window])
        const counts = yield* ofEndpoint(club_id, endpoint_id, repo.stats({ club_id, endpoint_id }, from))
        return { window, ...counts }
      })

      const event = Effect.fn("DeliveryHistory.event")(function*(club_id: ClubId, id: EventId, locale?: Locale) {
        const found = yield* repo.ofEvent(club_id, id)
        const [first] = found
        if (first === undefined) {
          const unwanted = yield* repo.unwanted(club_id, id)
          return Option.isSome(unwanted) ? { ...unwanted.value, deliveries: [], diagnoses: [] } : yield* new NotFound()
        }
        const { created_at, event_id, event_type, payload, payload_purged, student_id } = first
        const deliveries = found.map(Struct.omit(["payload", "endpoint"]))
        const diagnoses = found.flatMap(({ endpoint, ...delivery }) => {
          const known = endpoint === null ? {} : { endpoint, certificate_ends_at: endpoint.certificate_ends_at }
          const diagnosis = causeOfDelivery(delivery, known, locale)
          return diagnosis === null ? [] : [{ delivery_id: delivery.id, diagnosis }]
        })
        return {
          id: event_id,
          type: event_type,
          student_id,
          created_at,
          payload_purged,
          payload,
          deliveries,
          diagnoses
        }
      })

      return DeliveryHistory.of({ list, listAll, get, stats, event })
    })
  )

  static readonly layer = this.layerNoDeps
    .pipe(Layer.provide([ClubDeliveriesRepo.layer, EndpointsRepo.layer, DeliveryHistoryRepo.layer]))
}
