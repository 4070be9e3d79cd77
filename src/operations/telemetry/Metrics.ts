import { Effect, Option, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHash, timingSafeEqual } from "node:crypto"
import { Unauthenticated } from "../../identity/authentication/Authentication.ts"
import { challenge } from "../../identity/authentication/Challenge.ts"
import { TemporarilyUnavailable } from "../../platform/http/errors.ts"
import { Supervisor } from "../../platform/processes/Supervisor.ts"
import { metricsSubject } from "./FleetMetrics.ts"
import { processMetrics } from "./ProcessMetrics.ts"
import { telemetrySettings } from "./TelemetrySettings.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest()

/** More than the supervisor waits for its processes. */
const patience = "2 seconds"

/** What all processes of a command measure together: a sum without the others would go down. */
const metricsOf = (supervisor: NonNullable<typeof Supervisor.Service>) =>
  supervisor.ask(metricsSubject, null, patience).pipe(
    Effect.map(String),
    Effect.mapError(() => new TemporarilyUnavailable())
  )

const secretWanted = "This route wants the service's own secret: Authorization: Bearer <INTERNAL_SECRET>"

/**
 * `GET /internal/metrics` in Prometheus' format, for who holds `INTERNAL_SECRET`. Without a secret there is no such
 * route.
 */
export const MetricsRouteLayer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const secret = yield* telemetrySettings.INTERNAL_SECRET.read
  if (Option.isNone(secret)) return
  const supervisor = yield* Supervisor
  const metrics = supervisor === undefined ? processMetrics : metricsOf(supervisor)
  const expected = sha256(`Bearer ${Redacted.value(secret.value)}`)
  yield* router.add(
    "GET",
    "/internal/metrics",
    Effect.gen(function*() {
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      const presented = headers["authorization"] ?? ""
      if (!timingSafeEqual(sha256(presented), expected)) {
        yield* challenge(presented !== "")
        return yield* new Unauthenticated({ error: { message: secretWanted } })
      }
      return HttpServerResponse.text(yield* metrics, {
        contentType: "text/plain; version=0.0.4; charset=utf-8"
      })
    })
  )
}))
