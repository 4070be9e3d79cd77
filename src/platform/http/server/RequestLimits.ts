import { ByteSize, Layer } from "effect"
import { HttpIncomingMessage, HttpRouter } from "effect/http"

/** In characters. The route itself refuses a parameter that is not an id; the limit on URL and headers comes first. */
export const routerConfig = { maxParamLength: 16_384 }

/**
 * The most of a request that is read: a body of at most 1 MiB. Read per request, so it is provided to the server, not the
 * routes.
 */
export const RequestLimitsLayer = Layer.mergeAll(
  Layer.succeed(HttpIncomingMessage.MaxBodySize, ByteSize.mebibytes(1)),
  Layer.succeed(HttpRouter.RouterConfig, routerConfig)
)
