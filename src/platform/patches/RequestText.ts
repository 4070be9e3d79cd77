// Patch of effect 4.1.0. Without it, the builder reads a JSON body that is not UTF-8 with other letters in place of its
// bytes. It also parses a body of any depth. Its own hooks come after the body is parsed.
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"

/** Has everyone who reads the text of this request get it so, once: the builder and other middleware share the request. */
export const setText = (
  request: HttpServerRequest.HttpServerRequest,
  text: HttpServerRequest.HttpServerRequest["text"]
): Effect.Effect<void> =>
  Effect.map(Effect.cached(text), (value) => {
    Object.defineProperty(request, "text", { value })
  })
