import { randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"

const malformed = [400, "malformed_request", "The request is not valid HTTP"] as const

const refusals: Record<string, readonly [status: number, code: string, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, "headers_too_large", "The URL and the headers are too large"],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "payload_too_large", "The request body is too large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "request_timeout", "The request took too long to arrive"]
}

const refusalOf = ({ code = "" }: NodeJS.ErrnoException) => {
  const [status, name, message] = refusals[code] ?? malformed
  const body = JSON.stringify({ error: { code: name, message } })
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Connection: close",
    "Content-Type: application/json",
    "Cache-Control: no-store",
    `X-Request-Id: ${randomUUID()}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "",
    body
  ].join("\r\n")
}

/** A request of at most 1 MiB that takes longer to arrive is not meant to arrive (in milliseconds). */
const patience = { headersTimeout: 20_000, requestTimeout: 60_000 }

/** Files may take as long as they come at all: an upload may pause for this long (in milliseconds). */
const pause = 60_000

const isUpload = ({ method, url = "" }: IncomingMessage) => method === "PUT" && url.startsWith("/storage/uploads/")

/** Node's server, which also answers in the envelope what never becomes a request: broken HTTP, too many headers. */
export const createApiServer = (): Server => {
  const responses = new WeakMap<Duplex, ServerResponse>()
  const server = createServer(patience)
  const begin = (request: IncomingMessage, response: ServerResponse) => {
    responses.set(request.socket, response)
    // Node destroys a socket that is idle for longer, and takes the limit back with the answer.
    if (isUpload(request)) request.socket.setTimeout(pause)
  }
  server.on("request", begin)
  // A client that asks first whether it may send the body.
  server.on("checkContinue", begin)
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const response = responses.get(socket)
    const isComing = response !== undefined && !response.req.complete && isUpload(response.req)
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && isComing) return
    const isAnswering = response !== undefined && response.headersSent && !response.writableFinished
    if (error.code === "ECONNRESET" || !socket.writable || isAnswering) socket.destroy()
    else socket.end(refusalOf(error))
  })
  return server
}
