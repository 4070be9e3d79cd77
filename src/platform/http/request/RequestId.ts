import { Effect, References } from "effect"

/** The `X-Request-Id` of the answer, which every log line of the request has too; null outside of a request. */
export const requestId: Effect.Effect<string | null> = Effect.map(References.CurrentLogAnnotations, (known) => {
  const id = known["request_id"]
  return typeof id === "string" ? id : null
})
