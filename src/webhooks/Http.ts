import { Effect, flow, type Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { eventTypes } from "../events/EventTypes.ts"
import { seesDocuments } from "../identity/authentication/Authentication.ts"
import { asMember } from "../identity/people/asMember.ts"
import { CurrentMember, type MemberIdentity } from "../identity/people/Identity.ts"
import { withoutDocumentsInBody } from "../identity/people/TaxDocuments.ts"
import { versioned } from "../platform/http/Contract.ts"
import type { Locale } from "../platform/http/Locale.ts"
import { data, whole } from "../platform/http/Page.ts"
import { askedLocale } from "../platform/http/server/AskedLocale.ts"
import { group } from "../platform/http/server/group.ts"
import { eventStream } from "../platform/http/ServerSentEvents.ts"
import { WebhookDeliveriesApi, WebhookEndpointsApi } from "./Api.ts"
import { Diagnoses } from "./endpoint/Diagnoses.ts"
import { Endpoints } from "./endpoint/Endpoints.ts"
import { Deliveries } from "./history/delivery/Deliveries.ts"
import type { WebhookDeliveryDetail } from "./history/delivery/Delivery.ts"
import { DeliveryHistory } from "./history/delivery/DeliveryHistory.ts"
import { DeliveryStreams } from "./history/live/DeliveryStreams.ts"
import { placed } from "./history/live/placed.ts"
import type { NoPlace, ProcessFull } from "./history/live/StreamPlaces.ts"
import { SeriesReads } from "./history/series/SeriesReads.ts"

/** Reads for a member what has sentences, in the language of the request. */
const inLanguage = <A, E, R>(read: (member: MemberIdentity, locale: Locale) => Effect.Effect<A, E, R>) =>
  CurrentMember.use((member) => Effect.flatMap(askedLocale, (locale) => read(member, locale)))

/** Answers the routes of `WebhookEndpointsApi`. */
export const WebhookEndpointsHttp = group(
  versioned(WebhookEndpointsApi),
  "webhookEndpoints",
  Effect.fn(function*(handlers) {
    const diagnoses = yield* Diagnoses
    const endpoints = yield* Endpoints
    const history = yield* DeliveryHistory
    const series = yield* SeriesReads
    return handlers.handleAll({
      // The catalog is one page.
      eventTypes: () => Effect.succeed(whole(eventTypes)),
      create: asMember(({ payload }, { club }) => Effect.map(endpoints.create(club.id, payload), data)),
      list: asMember(({ query }, { club }) => endpoints.list(club.id, query)),
      get: asMember(({ params }, { club }) => Effect.map(endpoints.get(club.id, params.endpointId), data)),
      update: asMember(({ params, payload }, { club }) =>
        Effect.map(endpoints.patch(club.id, params.endpointId, payload), data)
      ),
      remove: asMember(({ params }, { club }) => endpoints.remove(club.id, params.endpointId)),
      rotateSecret: asMember(({ params }, { club }) =>
        Effect.map(endpoints.rotateSecret(club.id, params.endpointId), data)
      ),
      stats: asMember(({ params, query }, { club }) =>
        Effect.map(history.stats(club.id, params.endpointId, query.window), data)
      ),
      series: asMember(({ params, query }, { club }) =>
        Effect.map(series.of(club, params.endpointId, query.window), data)
      ),
      seriesOfAll: asMember(({ query }, { club }) => Effect.map(series.all(club, query.window), whole)),
      diagnose: ({ params }) =>
        inLanguage(({ club }, locale) => Effect.map(diagnoses.of(club.id, params.endpointId, locale), data)),
      diagnoseAll: () => inLanguage(({ club }, locale) => Effect.map(diagnoses.all(club.id, locale), whole))
    })
  })
)

const followed = <E, R>(streams: Effect.Effect<Stream.Stream<Uint8Array>, E | NoPlace | ProcessFull, R>) =>
  Effect.map(placed(streams), (events) => HttpServerResponse.stream(events, eventStream))

/** A receiver may tell of a student what it alone knows. */
const shownTo = (member: MemberIdentity) => (delivery: WebhookDeliveryDetail): WebhookDeliveryDetail =>
  seesDocuments(member) ? delivery : {
    ...delivery,
    attempts: delivery.attempts.map((attempt) => ({
      ...attempt,
      response_body: attempt.response_body === null ? null : withoutDocumentsInBody(attempt.response_body)
    }))
  }

/** Answers the routes of `WebhookDeliveriesApi`. */
export const WebhookDeliveriesHttp = group(
  versioned(WebhookDeliveriesApi),
  "webhookDeliveries",
  Effect.fn(function*(handlers) {
    const deliveries = yield* Deliveries
    const history = yield* DeliveryHistory
    const streams = yield* DeliveryStreams
    return handlers.handleAll({
      test: asMember(({ params }, { club }) => Effect.map(deliveries.sendTest(club, params.endpointId), data)),
      list: asMember(({ params, query }, { club }) => history.list(club.id, params.endpointId, query)),
      listAll: asMember(({ query }, { club }) => history.listAll(club.id, query)),
      stream: asMember(({ params, query }, member) =>
        followed(streams.followEndpoint(member, params.endpointId, query))
      ),
      streamAll: asMember(({ query }, member) => followed(streams.follow(member, query))),
      get: ({ params: { deliveryId, endpointId } }) =>
        inLanguage((me, locale) =>
          Effect.map(history.get(me.club.id, endpointId, deliveryId, locale), flow(shownTo(me), data))
        ),
      resend: asMember(({ params: { deliveryId, endpointId } }, { club }) =>
        Effect.map(deliveries.resend(club.id, endpointId, deliveryId), data)
      ),
      recover: asMember(({ params, payload }, { club }) =>
        Effect.map(deliveries.recover(club, params.endpointId, payload.since), (recovered) => data({ recovered }))
      ),
      previewRecovery: asMember(({ params, query }, { club }) =>
        Effect.map(deliveries.previewRecovery(club, params.endpointId, query.since), data)
      ),
      event: ({ params }) =>
        inLanguage(({ club }, locale) => Effect.map(history.event(club.id, params.eventId, locale), data))
    })
  })
)
