import { Layer } from "effect"
import { AuditRecorder } from "./audit/AuditRecorder.ts"
import { AuthBodyLimitLayer } from "./authentication/AuthBodyLimit.ts"
import { AuthenticationLayer } from "./authentication/AuthenticationHttp.ts"
import { KeyStore } from "./keys/KeyStore.ts"
import { ClientAddress } from "./limits/ClientAddress.ts"
import { RateLimiter } from "./limits/RateLimiter.ts"
import { RateLimitsLayer } from "./limits/RateLimitsLayer.ts"
import { UploadCountingLayer } from "./limits/UploadCounting.ts"
import { WriteCounters } from "./limits/WriteCounters.ts"
import { SessionStore } from "./sessions/SessionStore.ts"
import { StudentLocks } from "./students/StudentLocks.ts"
import { OneTimeTokens } from "./tokens/OneTimeTokens.ts"

/** The sender of a request, and its limits. */
export const identity = {
  services: Layer.mergeAll(AuthBodyLimitLayer, AuthenticationLayer, RateLimitsLayer, UploadCountingLayer).pipe(
    Layer.provideMerge(Layer.mergeAll(
      AuditRecorder.layer,
      KeyStore.layer,
      OneTimeTokens.layer,
      RateLimiter.layer,
      SessionStore.layer,
      StudentLocks.layer,
      WriteCounters.layer
    )),
    Layer.provideMerge(ClientAddress.layer)
  ),
  routes: Layer.empty,
  workers: Layer.empty
}
