import { Effect, Option, Predicate } from "effect"
import type { HttpServerRequest } from "effect/http"
import { ValidationFailed } from "../../platform/http/errors.ts"
import { readJson } from "../../platform/http/JsonText.ts"

const addressWanted = new ValidationFailed({ error: { message: "email is required" } })

/** A body that cannot be read is the API's to refuse. */
const lacksAddress = (body: ArrayBuffer) =>
  Effect.map(
    Effect.option(readJson(new Uint8Array(body))),
    (read) => Option.exists(read, (json) => !Predicate.hasProperty(json, "email"))
  )

/**
 * Refuses this request when its JSON body is read, if the body has no `email`: a code without its address may be in anybody's
 * link. The route reads the body as always, after counts and limits.
 */
export const wantAddress = (request: HttpServerRequest.HttpServerRequest): HttpServerRequest.HttpServerRequest => {
  const withAddress = Effect.tap(
    request.arrayBuffer,
    (body) => Effect.flatMap(lacksAddress(body), (lacks) => lacks ? Effect.die(addressWanted) : Effect.void)
  )
  return Object.defineProperty(request, "arrayBuffer", { value: withAddress })
}
