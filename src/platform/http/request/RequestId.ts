import { Effect, References } from "effect"

/** The `X-Request-Id` that the answer will carry, which every line logged on the request's way has too; none outside of one. */
export const requestId: Effect.Effect<string | null> = Effect.map(References.CurrentLogAnnotations, (known) => {
  const id = known["request_id"]
  return typeof id === "string" ? id : null
})
