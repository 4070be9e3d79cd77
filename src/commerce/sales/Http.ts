import { ByteSize, Effect, Struct } from "effect"
import { HttpIncomingMessage, type HttpServerError, type HttpServerRequest } from "effect/http"
import { asMember } from "../../identity/people/asMember.ts"
import { contractOf, versioned } from "../../platform/http/Contract.ts"
import { MalformedRequest, PayloadTooLarge } from "../../platform/http/errors.ts"
import { data, whole } from "../../platform/http/Page.ts"
import { group } from "../../platform/http/server/group.ts"
import { InboundEventsApi, InboundWebhooksApi, PlatformHooksApi, ProductMappingsApi, StudentSalesApi } from "./Api.ts"
import { InboundEvents } from "./inbound/InboundEvents.ts"
import { InboundWebhooks } from "./inbound/InboundWebhooks.ts"
import { Reception } from "./inbound/Reception.ts"
import { Mappings } from "./mapping/Mappings.ts"
import { UnmappedProducts } from "./mapping/UnmappedProducts.ts"
import { platforms } from "./platform/Platforms.ts"
import { StudentSales } from "./purchase/StudentSales.ts"

/** Answers the routes of `InboundWebhooksApi`. */
export const InboundWebhooksHttp = group(
  versioned(InboundWebhooksApi),
  "inboundWebhooks",
  Effect.fn(function*(handlers) {
    const hooks = yield* InboundWebhooks
    return handlers.handleAll({
      create: asMember(({ payload }, { club }) => Effect.map(hooks.create(club.id, payload), data)),
      list: asMember(({ query }, { club }) => hooks.list(club.id, query)),
      get: asMember(({ params }, { club }) => Effect.map(hooks.get(club.id, params.inboundWebhookId), data)),
      update: asMember(({ params, payload }, { club }) =>
        Effect.map(hooks.patch(club.id, params.inboundWebhookId, payload), data)
      ),
      remove: asMember(({ params }, { club }) => hooks.remove(club.id, params.inboundWebhookId)),
      rotateToken: asMember(({ params }, { club }) =>
        Effect.map(hooks.rotateToken(club.id, params.inboundWebhookId), data)
      )
    })
  })
)

/** Answers the routes of `InboundEventsApi`. */
export const InboundEventsHttp = group(
  versioned(InboundEventsApi),
  "inboundEvents",
  Effect.fn(function*(handlers) {
    const events = yield* InboundEvents
    return handlers.handleAll({
      list: asMember(({ params, query }, { club }) => events.list(club.id, params.inboundWebhookId, query)),
      listAll: asMember(({ query }, { club }) => events.listAll(club.id, query)),
      get: asMember(({ params }, me) => Effect.map(events.get(me, params.inboundEventId), data)),
      reprocess: asMember(({ params }, { club }) => Effect.map(events.reprocess(club.id, params.inboundEventId), data))
    })
  })
)

const listedPlatforms = platforms.map(Struct.pick(["key", "name", "signature", "setup_steps", "events"]))

/** Answers the routes of `ProductMappingsApi`. */
export const ProductMappingsHttp = group(
  versioned(ProductMappingsApi),
  "productMappings",
  Effect.fn(function*(handlers) {
    const mappings = yield* Mappings
    const unmapped = yield* UnmappedProducts
    return handlers.handleAll({
      // The platforms are one page.
      platforms: () => Effect.succeed(whole(listedPlatforms)),
      create: asMember(({ payload }, { club }) => Effect.map(mappings.create(club.id, payload), data)),
      list: asMember(({ query }, { club }) => mappings.list(club.id, query)),
      unmapped: asMember(({ query }, { club }) => unmapped.list(club.id, query)),
      get: asMember(({ params }, { club }) => Effect.map(mappings.get(club.id, params.mappingId), data)),
      update: asMember(({ params, payload }, { club }) =>
        Effect.map(mappings.patch(club.id, params.mappingId, payload), data)
      ),
      remove: asMember(({ params }, { club }) => mappings.remove(club.id, params.mappingId)),
      reprocess: asMember(({ params }, { club }) =>
        Effect.map(mappings.reprocess(club.id, params.mappingId), (requeued) => data({ requeued }))
      )
    })
  })
)

/** Answers the routes of `StudentSalesApi`. */
export const StudentSalesHttp = group(
  versioned(StudentSalesApi),
  "studentSales",
  Effect.fn(function*(handlers) {
    const sales = yield* StudentSales
    return handlers.handleAll({
      purchases: asMember(({ params, query }, { club }) => sales.purchases(club.id, params.studentId, query)),
      subscriptions: asMember(({ params, query }, { club }) => sales.subscriptions(club.id, params.studentId, query))
    })
  })
)

/** The largest body of a sales platform (http-surface, Inbound sales platforms). */
const largest = ByteSize.kibibytes(256)

// The reason is all that is kept of the failure: it holds the request, whose URL is a secret.
const refusedBody = ({ reason }: HttpServerError.HttpServerError) =>
  reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
    ? new PayloadTooLarge()
    : new MalformedRequest()

const bodyOf = (request: HttpServerRequest.HttpServerRequest) =>
  request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, largest),
    Effect.mapBoth({ onFailure: refusedBody, onSuccess: (bytes) => new Uint8Array(bytes) })
  )

const queryOf = ({ url }: HttpServerRequest.HttpServerRequest) => new URLSearchParams(/\?.*$/s.exec(url)?.[0])

/** Answers the route of `PlatformHooksApi`. */
export const PlatformHooksHttp = group(
  contractOf(PlatformHooksApi),
  "platformHooks",
  Effect.fn(function*(handlers) {
    const reception = yield* Reception
    return handlers.handleRaw("receive", ({ params: { platform, token }, request }) =>
      Effect.map(
        reception.receive({
          platform,
          token,
          headers: request.headers,
          query: queryOf(request),
          body: bodyOf(request)
        }),
        data
      ))
  })
)
