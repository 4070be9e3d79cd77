import type { IncomingHttpHeaders } from "node:http"
import type { Dispatcher } from "undici"
import type { AttemptError } from "../model/AttemptError.ts"
import type { SendResult } from "./Sender.ts"

/** What is kept of a body, in bytes (contract, Limits). */
const keptBytes = 2048

/** Answers of 1xx after which a receiver is only playing. */
const mostInterim = 16

const connectionCodes = new Set([
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETUNREACH",
  "EPIPE",
  "ETIMEDOUT",
  "UND_ERR_SOCKET"
])

const codeOf = (error: Error): string => "code" in error && typeof error.code === "string" ? error.code : ""

/** Whether the network failed, and not what was said over it. */
export const isConnectionError = (error: Error): boolean => connectionCodes.has(codeOf(error))

/** What broke an exchange on a connection that stood. */
const errorOf = (error: Error): AttemptError => {
  if (/^(ERR_SSL|EPROTO)/.test(codeOf(error))) return "tls"
  // undici gives an answer out of turn (100, 101, one that nobody asked for) the code of a lost connection.
  return isConnectionError(error) && !/^bad (response|upgrade)/.test(error.message) ? "connection" : "protocol"
}

// As a stream, so that what is left of a cut code point at the end is dropped and not replaced.
const readable = (bytes: Uint8Array): string => new TextDecoder().decode(bytes, { stream: true }).replaceAll("\0", "")

/** Bytes of a stranger as text that PostgreSQL takes: at most 2 048 bytes of UTF-8, cut between code points. */
export const storedText = (body: Uint8Array): string | null => {
  const text = readable(body.subarray(0, keptBytes))
  const bytes = Buffer.from(text)
  if (bytes.length <= keptBytes) return text === "" ? null : text
  let end = keptBytes
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString("utf8", 0, end)
}

const first = (value: string | ReadonlyArray<string> | undefined): string | null =>
  (typeof value === "string" ? value : value?.[0]) ?? null

/** Takes in one answer as undici reads it, and stops reading when it has seen enough. */
export class ResponseReader implements Dispatcher.DispatchHandler {
  #status: number | null = null
  #retryAfter: string | null = null
  #error: AttemptError | null = null
  #interim = 0
  #size = 0
  #begun = false
  #complete = false
  readonly #chunks: Array<Buffer> = []
  #ended = () => {}

  /** Calls back when there is nothing more to wait for; maybe more than once, never inside undici's parser. */
  onEnd(ended: () => void): void {
    this.#ended = ended
  }

  /** Not one byte came before the connection was lost: how a connection ends that its peer had closed unnoticed. */
  get isUnheard(): boolean {
    return this.#error === "connection" && !this.#begun
  }

  /** It was read to its end, so the connection may be used again. */
  get isComplete(): boolean {
    return this.#complete
  }

  /** What came of it so far; `fallback` where there is neither a status nor a failure. */
  result(fallback: AttemptError): SendResult {
    const status = this.#status
    if (status === null) return failedResult(this.#error ?? fallback)
    const error = status < 300 ? null : status < 400 ? "redirect" : "http_status"
    const response_body = storedText(Buffer.concat(this.#chunks))
    return { error, status_code: status, response_body, retry_after: this.#retryAfter }
  }

  onRequestStart(): void {}

  onResponseStarted(): void {
    this.#begun = true
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) {
      this.#interim++
      if (status === 101 || this.#interim > mostInterim) {
        this.#error = "protocol"
        controller.abort(new Error("Interim answers only"))
      }
      return
    }
    this.#status = status
    if (status === 429 || status === 503) this.#retryAfter = first(headers["retry-after"])
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const left = keptBytes - this.#size
    // Copied, because a piece of a chunk keeps all of it in memory.
    if (left > 0) this.#chunks.push(Buffer.from(chunk.subarray(0, left)))
    this.#size += chunk.length
    if (this.#size > keptBytes) controller.abort(new Error("The rest of the answer is not read"))
  }

  onResponseEnd(): void {
    this.#complete = true
    queueMicrotask(this.#ended)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#error ??= errorOf(error)
    queueMicrotask(this.#ended)
  }
}

/** An attempt that no answer came to. */
export const failedResult = (error: AttemptError): SendResult => ({
  error,
  status_code: null,
  response_body: null,
  retry_after: null
})
