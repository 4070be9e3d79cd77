import type { ErrorCode } from "../contract/Resources.ts"

/** Codes of this client, beside those of the contract. */
export type ClientErrorCode =
  | "connection_failed"
  | "cursor_repeated"
  | "not_modified"
  | "redirected"
  | "timed_out"
  | "unexpected_answer"

/** The facts about a failure. */
export interface Failure {
  readonly code: ErrorCode | ClientErrorCode | (string & Record<never, never>)
  readonly message: string
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  readonly retryAfter?: number | undefined
}

/** A call that did not succeed. Match on `code`, and on `status` where a code is new to you. */
export class TurmaError extends Error {
  override readonly name: string = "TurmaError"
  /** The fault, for programs: a code of the contract's errors, or one of this client. */
  readonly code: Failure["code"]
  /** The status of the answer; undefined without an answer. */
  readonly status: number | undefined
  /** Names the request in the service's log: say it when you ask for help. */
  readonly requestId: string | undefined
  /** After how many seconds the service wants to be asked again, where it says so. */
  readonly retryAfter: number | undefined

  constructor({ code, message, requestId, retryAfter, status }: Failure) {
    super(message)
    this.code = code
    this.status = status
    this.requestId = requestId
    this.retryAfter = retryAfter
  }
}

/** There was no whole answer: the service was not reached, or the connection ended halfway. */
export class TurmaConnectionError extends TurmaError {
  override readonly name = "TurmaConnectionError"

  constructor(message: string, known: Pick<Failure, "requestId" | "status"> = {}) {
    super({ ...known, code: "connection_failed", message })
  }
}

/** There was no whole answer in time. */
export class TurmaTimeoutError extends TurmaError {
  override readonly name = "TurmaTimeoutError"

  constructor(milliseconds: number) {
    super({ code: "timed_out", message: `There was no whole answer within ${Math.ceil(milliseconds)} ms` })
  }
}
