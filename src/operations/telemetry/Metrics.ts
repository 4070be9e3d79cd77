import { Effect, Option, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHash, timingSafeEqual } from "node:crypto"
import { Unauthenticated } from "../../identity/authentication/Authentication.ts"
import { telemetrySettings } from "./TelemetrySettings.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest()

/** `GET /internal/metrics` in Prometheus' format, for who holds `INTERNAL_SECRET`. Without a secret there is no such route. */
export const MetricsRouteLayer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const secret = yield* telemetrySettings.INTERNAL_SECRET.read
  if (Option.isNone(secret)) return
  const expected = sha256(`Bearer ${Redacted.value(secret.value)}`)
  yield* router.add(
    "GET",
    "/internal/metrics",
    Effect.gen(function*() {
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      if (!timingSafeEqual(sha256(headers["authorization"] ?? ""), expected)) return yield* new Unauthenticated()
      const { format } = yield* Effect.promise(() => import("effect/observability/PrometheusMetrics"))
      return HttpServerResponse.text(yield* format(), {
        contentType: "text/plain; version=0.0.4; charset=utf-8"
      })
    })
  )
}))
