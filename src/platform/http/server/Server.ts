import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import type { AllowsOrigin } from "../Origins.ts"
import { crossOrigin } from "./CrossOrigin.ts"
import { answerDirectly, directAnswer, idOf } from "./DirectAnswer.ts"
import { headTooLarge, mostRead } from "./HeadSize.ts"
import { tooLate } from "./Unarrived.ts"

const malformed = { status: 400, code: "malformed_request", message: "The request is not valid HTTP" }

const refusals: Record<string, typeof malformed> = {
  HPE_HEADER_OVERFLOW: headTooLarge,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: "payload_too_large",
    message: "The body is too large: send less of it at a time"
  },
  ERR_HTTP_REQUEST_TIMEOUT: tooLate
}

const refusalOf = ({ code = "" }: NodeJS.ErrnoException, headers: Readonly<Record<string, string>>) =>
  directAnswer({ ...refusals[code] ?? malformed, id: idOf(undefined), headers })

const unknownExpectation = {
  status: 417,
  code: "expectation_failed",
  message: "The service meets no expectation but 100-continue: leave Expect out"
}

/** A tunnel, which nobody gets. */
const noTunnel = {
  status: 405,
  code: "method_not_allowed",
  message: "The route does not take this method: Allow lists those it takes",
  headers: { Allow: "GET, HEAD, POST, PUT, PATCH, DELETE" }
}

/** A request of at most 1 MiB that takes longer to arrive is not meant to arrive (in milliseconds). */
const patience = { headersTimeout: 20_000, requestTimeout: 60_000 }

/** Files may take as long as they come at all: an upload may pause for this long (in milliseconds). */
const pause = 60_000

const isUpload = ({ method, url = "" }: IncomingMessage) => method === "PUT" && url.startsWith("/storage/uploads/")

/**
 * Node's server. It also answers in the envelope if no request is formed: broken HTTP, too many headers, an unknown
 * expectation, a tunnel. It ignores a wish for another protocol and answers the request as it is. It sets the headers
 * for these origins before any handler runs, so a page of these origins may read every answer.
 */
export const createApiServer = (allows: AllowsOrigin): Server => {
  const headersFor = crossOrigin(allows)
  const mark = ({ headers }: IncomingMessage, response: ServerResponse) => {
    if (headers.origin === undefined) return
    for (const [name, value] of Object.entries(headersFor(headers))) response.setHeader(name, value)
  }
  const responses = new WeakMap<Duplex, ServerResponse>()
  const server = createServer({
    ...patience,
    maxHeaderSize: mostRead,
    requireHostHeader: false,
    shouldUpgradeCallback: () => false
  })
  const begin = (request: IncomingMessage, response: ServerResponse) => {
    responses.set(request.socket, response)
    mark(request, response)
    // Node reads nothing more on a connection that was to become another protocol's.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false
    // Node destroys a socket that is idle for longer, and takes the limit back with the answer.
    if (isUpload(request)) request.socket.setTimeout(pause)
  }
  server.on("request", begin)
  // A client that asks first whether it may send the body.
  server.on("checkContinue", begin)
  server.on(
    "checkExpectation",
    (request: IncomingMessage, response: ServerResponse) => {
      mark(request, response)
      answerDirectly(response, { ...unknownExpectation, id: idOf(request.headers["x-request-id"]) })
    }
  )
  server.on("connect", ({ headers }: IncomingMessage, socket: Duplex) => {
    socket.on("error", () => {})
    socket.end(directAnswer({ ...noTunnel, id: idOf(headers["x-request-id"]) }))
  })
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const response = responses.get(socket)
    const isComing = response !== undefined && !response.req.complete && isUpload(response.req)
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && isComing) return
    const isAnswering = response !== undefined && response.headersSent && !response.writableFinished
    if (error.code === "ECONNRESET" || !socket.writable || isAnswering) socket.destroy()
    // Of a request whose headers were not understood, nobody knows the origin.
    else {socket
        .end(refusalOf(error, response === undefined || response.req.complete ? {} : headersFor(response.req.headers)))}
  })
  return server
}
