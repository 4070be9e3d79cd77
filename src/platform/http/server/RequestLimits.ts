import { ByteSize, Layer } from "effect"
import { HttpIncomingMessage, HttpRouter } from "effect/http"

/** In characters. A parameter that is no id is for its route to refuse; the limit on URL and headers comes first. */
export const routerConfig = { maxParamLength: 16_384 }

/**
 * How much of a request is read: a body of at most 1 MiB. Read per request, so it is provided to the server, not the
 * routes.
 */
export const RequestLimitsLayer = Layer.mergeAll(
  Layer.succeed(HttpIncomingMessage.MaxBodySize, ByteSize.mebibytes(1)),
  Layer.succeed(HttpRouter.RouterConfig, routerConfig)
)
