import { Layer } from "effect"
import { AuthBodiesLayer } from "./authentication/AuthBodies.ts"
import { AuthenticationLayer } from "./authentication/AuthenticationHttp.ts"
import { ClientAddress } from "./limits/ClientAddress.ts"
import { RateLimitsLayer } from "./limits/Http.ts"
import { RateLimiter } from "./limits/RateLimiter.ts"
import { UploadCountingLayer } from "./limits/UploadCounting.ts"
import { WriteCounters } from "./limits/WriteCounters.ts"
import { SessionStore } from "./sessions/SessionStore.ts"
import { StudentRows } from "./students/StudentRows.ts"
import { OneTimeTokens } from "./tokens/OneTimeTokens.ts"

/** Who asks, and how often they may. */
export const identity = {
  services: Layer.mergeAll(AuthBodiesLayer, AuthenticationLayer, RateLimitsLayer, UploadCountingLayer).pipe(
    Layer.provideMerge(
      Layer.mergeAll(OneTimeTokens.layer, RateLimiter.layer, SessionStore.layer, StudentRows.layer, WriteCounters.layer)
    ),
    Layer.provideMerge(ClientAddress.layer)
  ),
  routes: Layer.empty,
  workers: Layer.empty
}
