import { randomUUIDv7 } from "node:crypto"
import { type ServerResponse, STATUS_CODES } from "node:http"

/** An id of the caller that has the shape of a club's key is refused, since the key would then be in logs. */
const inboundId = /^(?!turma_[0-9A-Za-z]{8}_)[A-Za-z0-9._-]{1,64}$/

/** A request's id: the client's own if it is well-formed, otherwise a new one. */
export const idOf = (inbound: string | ReadonlyArray<string> | undefined): string =>
  typeof inbound === "string" && inboundId.test(inbound) ? inbound : randomUUIDv7()

interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
  /** `X-Request-Id`. */
  readonly id: string
  readonly headers?: Readonly<Record<string, string>>
}

const partsOf = ({ code, headers = {}, id, message }: Refusal) => {
  const body = JSON.stringify({ error: { code, message } })
  return {
    body,
    headers: {
      "Connection": "close",
      "Content-Type": "application/json",
      "Cache-Control": "no-store",
      "Vary": "Origin",
      "X-Request-Id": id,
      "Content-Length": String(Buffer.byteLength(body)),
      ...headers
    }
  }
}

/** Answers in the envelope without a handler, and closes the connection. */
export const answerDirectly = (response: ServerResponse, refusal: Refusal): void => {
  const { body, headers } = partsOf(refusal)
  response.writeHead(refusal.status, headers).end(body)
}

/** The bytes of such an answer, for a socket on which no request was understood. */
export const directAnswer = (refusal: Refusal): string => {
  const { body, headers } = partsOf(refusal)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`, ...lines, "", body].join("\r\n")
}
