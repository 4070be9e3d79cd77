import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import { field } from "../../platform/http/Field.ts"
import { Data } from "../../platform/http/Page.ts"
import { version } from "../../platform/version.ts"

const Health = Schema.Struct({
  status: Schema.Literal("ok").pipe(field("Always `ok`: a process that does not run does not answer")),
  version: Schema.String.pipe(field("The version of the service", version))
})

const check = (description: string) => Schema.Literals(["ok", "failing"]).pipe(field(description))

/** Late or uncounted work is not a reason for 503: to take every instance out of rotation makes that worse. */
export const Readiness = Schema.Struct({
  status: Schema.Literals(["ready", "degraded", "unavailable"])
    .pipe(field("`ready`: every check is ok. `unavailable`: the database does not answer. `degraded`: another check is failing")),
  checks: Schema.Struct({
    database: check("True if the database answers within 2 seconds"),
    limiter:
      check("True if requests are counted against their limits. While false, writes pass uncounted, and routes that take credentials may answer 503 `rate_limit_unavailable`"),
    queue: check("True if no mail, event, webhook delivery or sale has been due for 5 minutes or longer"),
    clock: check("True if the process's clock agrees with the database's and has made no jump of more than a day"),
    seals: check("True if everything that had to be opened in the last 5 minutes opened with the keys of its process"),
    replica: Schema.optionalKey(check("With a replica for lists: whether it has caught up within a second"))
  }).pipe(field("What was looked at. A check that has not ended after 2 seconds is failing"))
})

/** Is the process there, and can it serve? */
export class HealthApi extends HttpApiGroup.make("health")
  .add(
    HttpApiEndpoint.get("live", "/health", { success: Data(Health) }).annotateMerge(described(
      "Ask whether the process runs",
      "Looks at nothing else, neither the database nor the limiter. If no answer comes, a restart may help"
    )),
    HttpApiEndpoint.get("ready", "/health/ready", {
      success: [Data(Readiness), Data(Readiness).pipe(HttpApiSchema.status(503))]
    }).annotateMerge(described(
      "Ask whether it can serve",
      "Checks database, limiter, queues, clock and seals at the moment of asking, for 2 seconds at most. 200 while requests are served, also where something is late (`degraded`); 503 while the database does not answer (`unavailable`)"
    ))
  )
  .annotate(GroupAudience, "machines")
  .annotate(OpenApi.Title, "Health")
  .annotate(OpenApi.Description, "For load balancers and monitoring")
{}
