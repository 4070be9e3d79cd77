import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Data } from "../../platform/http/Page.ts"

const Health = Schema.Struct({ status: Schema.Literal("ok"), version: Schema.String })

const Check = Schema.Literals(["ok", "failing"])

/**
 * `unavailable` (503) when the database does not answer. `degraded` (200) when
 * requests are served but not counted, mails, events or webhooks wait for a
 * worker, or our clock is doubtful: taking every instance out of rotation would
 * make that worse.
 */
export const Readiness = Schema.Struct({
  status: Schema.Literals(["ready", "degraded", "unavailable"]),
  checks: Schema.Struct({ database: Check, limiter: Check, queue: Check, clock: Check })
})

/** Is the process there, and can it serve? */
export class HealthApi extends HttpApiGroup.make("health")
  .add(
    HttpApiEndpoint.get("live", "/health", { success: Data(Health) }).annotate(
      OpenApi.Summary,
      "Ask whether the process runs"
    ),
    HttpApiEndpoint.get("ready", "/health/ready", {
      success: [Data(Readiness), Data(Readiness).pipe(HttpApiSchema.status(503))]
    }).annotate(OpenApi.Summary, "Ask whether it can serve")
  )
  .annotate(OpenApi.Title, "Health")
  .annotate(OpenApi.Description, "For load balancers and whoever watches the service")
{}
