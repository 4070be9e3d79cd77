// Patch of @effect/platform-node 4.1.0. Without it, a request that did not come from a socket has no Node response. The
// outermost middleware needs one to answer a request that takes too long.
import type { HttpServerRequest } from "effect/http"
import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"

/** Gives a request a response of Node's that nobody reads. `NodeHttpServerRequest.toServerResponse` finds it. */
export const withUnreadResponse = (request: HttpServerRequest.HttpServerRequest): HttpServerRequest.HttpServerRequest =>
  Object.assign(request, { response: new ServerResponse(new IncomingMessage(new Socket())) })
