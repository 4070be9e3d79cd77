import { isAscii } from "node:buffer"
import type { IncomingHttpHeaders } from "node:http"
import type { Dispatcher } from "undici"
import { ownText, shownText } from "../../platform/text/Utf8.ts"
import type { AttemptError } from "../model/AttemptError.ts"
import type { PhaseTimer } from "./PhaseTimer.ts"
import { seenOf } from "./seenOf.ts"
import type { SendResult } from "./Sender.ts"

/** The bytes of a body that are kept (contract, Limits). */
const maxStoredBytes = 2048

/** More interim responses (1xx) than this are an error. */
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

/** True if the network failed, rather than the exchange over it. */
const isConnectionError = (error: Error): boolean => connectionCodes.has(codeOf(error))

/** True if a certificate was refused because its time is over. */
export const isEndOfCertificate = (error: Error): boolean => codeOf(error) === "CERT_HAS_EXPIRED"

/** Why an exchange on an open connection failed. */
const errorOf = (error: Error): AttemptError => {
  if (/^(ERR_SSL|EPROTO)/.test(codeOf(error))) return "tls"
  // undici reports a response out of turn (101, one without a request) with the code of a lost connection.
  return isConnectionError(error) && !/^bad (response|upgrade)/.test(error.message) ? "connection" : "protocol"
}

// The rest of a cut code point at the end is dropped and not replaced.
const readable = (bytes: Uint8Array): string => shownText(bytes, { isCut: true }).replaceAll("\0", "")

// Most answers are short and plain, and a decoder costs more than all the rest of reading one.
const isPlain = (bytes: Uint8Array): boolean => isAscii(bytes) && !bytes.includes(0)

/** The start of a body as text that PostgreSQL can store: at most 2 048 bytes of UTF-8, cut between code points. */
export const storedText = (body: Uint8Array): string | null => {
  if (body.length === 0) return null
  const start = body.subarray(0, maxStoredBytes)
  if (isPlain(start)) return Buffer.from(start.buffer, start.byteOffset, start.byteLength).toString("latin1")
  const text = readable(start)
  const bytes = Buffer.from(text)
  if (bytes.length <= maxStoredBytes) return text === "" ? null : text
  let end = maxStoredBytes
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return ownText(bytes.subarray(0, end))
}

const first = (value: string | ReadonlyArray<string> | undefined): string | null =>
  (typeof value === "string" ? value : value?.[0]) ?? null

/** The result of a request, as far as its answer shows it. */
export type Answer = Pick<SendResult, "error" | "response_body" | "retry_after" | "seen" | "status_code">

/** Reads one response from undici, and stops when it has what is kept. */
export class ResponseReader implements Dispatcher.DispatchHandler {
  #status: number | null = null
  #retryAfter: string | null = null
  #seen: boolean | undefined
  #error: AttemptError | null = null
  #interim = 0
  #size = 0
  #begun = false
  #complete = false
  readonly #chunks: Array<Buffer> = []
  readonly #timer: PhaseTimer
  #sent = () => {}
  #ended = () => {}

  constructor(timer: PhaseTimer) {
    this.#timer = timer
  }

  /** Calls back when there is nothing more to wait for; maybe more than once, never inside undici's parser. */
  onEnd(ended: () => void): void {
    this.#ended = ended
  }

  /** Calls back when the connection has all of the request. */
  onSent(sent: () => void): void {
    this.#sent = sent
  }

  /** The connection was lost before any byte came. An idle connection that the peer has closed ends like this. */
  get isUnheard(): boolean {
    return this.#error === "connection" && !this.#begun
  }

  /** It was read to its end, so the connection may be used again. */
  get isComplete(): boolean {
    return this.#complete
  }

  /** The result so far, or `fallback` without a status and a failure. */
  result(fallback: AttemptError): Answer {
    const status = this.#status
    if (status === null) return failedAnswer(this.#error ?? fallback)
    const error = status < 300 ? null : status < 400 ? "redirect" : "http_status"
    const [only, ...others] = this.#chunks
    const response_body = only === undefined
      ? null
      : storedText(others.length === 0 ? only : Buffer.concat(this.#chunks))
    const answer = { error, status_code: status, response_body, retry_after: this.#retryAfter } as const
    return this.#seen === undefined ? answer : { ...answer, seen: this.#seen }
  }

  onRequestStart(): void {}

  onRequestSent(): void {
    this.#sent()
  }

  onResponseStarted(): void {
    this.#begun = true
    this.#timer.begin("read_ms")
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) {
      this.#interim++
      this.#timer.waitOn()
      if (status === 101 || this.#interim > mostInterim) {
        this.#error = "protocol"
        controller.abort(new Error("Interim answers only"))
      }
      return
    }
    this.#status = status
    const seen = headers["turma-seen"]
    if (seen !== undefined) this.#seen = seenOf(first(seen))
    if (status === 429 || status === 503) this.#retryAfter = first(headers["retry-after"])
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const left = maxStoredBytes - this.#size
    // Copied, because a piece of a chunk keeps all of it in memory.
    if (left > 0) this.#chunks.push(Buffer.from(chunk.subarray(0, left)))
    this.#size += chunk.length
    if (this.#size > maxStoredBytes) controller.abort(new Error("The rest of the answer is not read"))
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

/** Without a response. */
export const failedAnswer = (error: AttemptError): Answer => ({
  error,
  status_code: null,
  response_body: null,
  retry_after: null
})
