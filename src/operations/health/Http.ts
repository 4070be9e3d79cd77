import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { versioned } from "../../platform/http/Contract.ts"
import { group } from "../../platform/http/server/group.ts"
import { markProbe } from "../../platform/http/server/RequestLog.ts"
import { version } from "../../platform/version.ts"
import { HealthApi } from "./Api.ts"
import { Health } from "./Health.ts"

/** Answers `HealthApi`. Not ready is 503. */
export const HealthHttp = group(
  versioned(HealthApi),
  "health",
  Effect.fn(function*(handlers) {
    const health = yield* Health
    return handlers.handleAll({
      live: () => Effect.as(markProbe, { data: { status: "ok", version } } as const),
      ready: Effect.fnUntraced(function*() {
        yield* markProbe
        const data = yield* health.readiness
        return HttpServerResponse.jsonUnsafe({ data }, { status: data.status === "unavailable" ? 503 : 200 })
      })
    })
  })
)
