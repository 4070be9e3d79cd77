import { Effect, Layer, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { ValidationFailed } from "../http/errors.ts"
import { turnFor } from "../http/json/Json.ts"
import { RequestOwner } from "../http/request/RequestOwner.ts"
import { Idempotent, keyShape } from "./Idempotency.ts"
import { IdempotencyKeys } from "./IdempotencyKeys.ts"

const refusedKey = () =>
  new ValidationFailed({ error: { message: "Idempotency-Key must have 1 to 255 printable ASCII characters" } })

/** Needs `IdempotencyKeys`, and `RequestOwner` from a middleware outside of it. */
export const IdempotencyLayer = Layer.effect(
  Idempotent,
  Effect.gen(function*() {
    const keys = yield* IdempotencyKeys
    return Idempotent.of(Effect.fnUntraced(function*(httpEffect, { endpoint }) {
      const request = yield* HttpServerRequest.HttpServerRequest
      const key = request.headers["idempotency-key"]
      if (key === undefined || request.method !== "POST") return yield* httpEffect
      if (!keyShape.test(key)) return yield* refusedKey()
      const owner = yield* RequestOwner
      // Without a session keys of strangers would meet, and ignoring the header would break its promise.
      if (Option.isNone(owner)) return yield* Effect.die(new Error("Idempotent is on a route without a session"))
      // Read before the transaction, so that a slow client holds no connection. The decoder gets the same bytes: the
      // request caches them.
      const body = new Uint8Array(yield* Effect.orDie(request.arrayBuffer))
      yield* turnFor(body.length)
      const route = `${endpoint.method} ${endpoint.path}`
      return yield* keys.once({ owner: owner.value, route, key, url: request.url, body }, httpEffect)
    }))
  })
)
