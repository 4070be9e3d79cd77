import { Effect, Option, Result } from "effect"
import type { HttpClientError, HttpClientResponse } from "effect/http"
import { readFailure } from "../../platform/http/ApiError.ts"
import { notText } from "../../platform/text/Unreadable.ts"
import { bodyText, type NotUtf8 } from "../../platform/text/Utf8.ts"
import { CommandFailure } from "../errors/CommandFailure.ts"
import { exitCodeOfStatus, exitCodes } from "../errors/ExitCodes.ts"
import { whyUnexpected } from "../errors/Unreadable.ts"
import { harmlessLine } from "../output/Harmless.ts"

const mostShown = 1000

const whyNotOurs = (read: Result.Result<string, HttpClientError.HttpClientError | NotUtf8>) => {
  if (Result.isSuccess(read)) return whyUnexpected(read.success)
  return read.failure._tag === "NotUtf8" ? notText : "it broke off"
}

/** The message of a refused request: the API's own, its code, and the id of the request in the service's log. */
export const refusal = Effect.fnUntraced(function*(response: HttpClientResponse.HttpClientResponse) {
  const read = yield* Effect.result(bodyText(response))
  const id = response.headers["x-request-id"]
  const known = id === undefined ? "" : `, request ${id}`
  const { status } = response
  const said = Option.match(readFailure(Result.getOrElse(read, () => "")), {
    onNone: () =>
      `The answer ${status} is not one of Turma's: is the address right? (${new URL(response.request.url).origin}, ${
        whyNotOurs(read)
      }${known})`,
    onSome: ({ error }) => `${error.message} (${error.code}${known})`
  })
  return new CommandFailure({ message: harmlessLine(said).slice(0, mostShown), exit_code: exitCodeOfStatus(status) })
})

const causeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return ""
  const inner = causeOf(error.cause)
  if (inner !== "") return inner
  // A name that stands for several addresses fails with an empty message and a code.
  return error.message === "" && "code" in error ? String(error.code) : error.message
}

/** The message if no answer came. It names the service and repeats no part of the request. */
export const unreachable = (url: string) => ({ reason }: HttpClientError.HttpClientError): CommandFailure =>
  new CommandFailure({
    message:
      harmlessLine(`${url} does not answer: ${causeOf("cause" in reason ? reason.cause : reason) || reason._tag}`),
    exit_code: exitCodes.unavailable.code
  })
