import { Duration, Effect, Redacted, Schedule } from "effect"
import { HttpClientError } from "effect/http"
import { makeClient } from "../../Client.ts"
import { CommandFailure } from "../errors/CommandFailure.ts"
import { exitCodes } from "../errors/ExitCodes.ts"
import { harmlessLine } from "../output/Harmless.ts"
import { textAt } from "../output/Json.ts"
import { note } from "../output/Write.ts"
import { oneOf } from "../remote/Answers.ts"
import { bare } from "../remote/Connection.ts"
import { unreachable } from "../remote/Failures.ts"
import { keyName, type MadeKey } from "./ClubKeys.ts"

/** Nobody has come yet, or the service is busy, or others behind the same address have used up what it may ask. */
const transientErrors: ReadonlySet<string> = new Set([
  "AuthorizationPending",
  "RateLimited",
  "RateLimitUnavailable",
  "TemporarilyUnavailable"
])

/** Longer than a code works. */
const longestWait = "11 minutes"

/** In seconds, if the service sends no interval. */
const usualInterval = 5

const failure = (url: string) => (error: Error) =>
  HttpClientError.isHttpClientError(error)
    ? unreachable(url)(error)
    : new CommandFailure({ message: harmlessLine(error.message), exit_code: exitCodes.rejected.code })

const nobodyCame = () =>
  Effect.fail(new CommandFailure({ message: "Nobody has let this terminal in", exit_code: exitCodes.failed.code }))

/**
 * Shows a code, and where an administrator enters it, in a browser on whatever machine; waits for the key until then. A
 * connection that is lost meanwhile is tried again, and so is a limit that is reached.
 */
export const keyByBrowser = Effect.fnUntraced(function*(url: string) {
  const client = yield* makeClient({ baseUrl: url })
  const begun = yield* oneOf(url, client.devices.begin({ payload: { name: keyName() }, ...bare }))
  const page = textAt(begun, "verification_url_complete")
  yield* note(harmlessLine(`Open ${page} in a browser, where you are an administrator,`))
  const code = textAt(begun, "user_code")
  yield* note(harmlessLine(`and let the terminal in that shows the code ${code}. Waiting; Ctrl-C ends it`))
  const device_code = Redacted.make(textAt(begun, "device_code"))
  const between = Duration.seconds(Math.max(1, Number(textAt(begun, "interval_seconds")) || usualInterval))
  const { data } = yield* Effect.sleep(between).pipe(
    Effect.andThen(client.devices.redeem({ payload: { device_code } })),
    Effect.retry({
      while: (error) => HttpClientError.isHttpClientError(error) || transientErrors.has(error._tag),
      schedule: Schedule.forever
    }),
    Effect.mapError(failure(url)),
    Effect.timeoutOrElse({ duration: longestWait, orElse: nobodyCame })
  )
  const made: MadeKey = { key: Redacted.make(Redacted.value(data.token)), key_id: data.id }
  return made
})
