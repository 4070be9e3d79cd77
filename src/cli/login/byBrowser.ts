import { Duration, Effect, Redacted, Schedule } from "effect"
import { HttpClientError } from "effect/http"
import { makeClient } from "../../Client.ts"
import { CommandFailure } from "../errors/CommandFailure.ts"
import { exitCodes } from "../errors/ExitCodes.ts"
import { harmlessLine } from "../output/Harmless.ts"
import { note } from "../output/Write.ts"
import { unreachable } from "../remote/Failures.ts"
import { keyName, type MadeKey } from "./ClubKeys.ts"

/** Nobody has come yet, or the service is busy, or others behind the same address have used up what it may ask. */
const passing: ReadonlySet<string> = new Set([
  "AuthorizationPending",
  "RateLimited",
  "RateLimitUnavailable",
  "TemporarilyUnavailable"
])

/** Longer than a code works. */
const longestWait = "11 minutes"

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
  const { data: begun } = yield* Effect.mapError(client.devices.begin({ payload: { name: keyName() } }), failure(url))
  yield* note(harmlessLine(`Open ${begun.verification_url_complete} in a browser, where you are an administrator,`))
  yield* note(harmlessLine(`and let the terminal in that shows the code ${begun.user_code}. Waiting; Ctrl-C ends it`))
  const between = Duration.seconds(begun.interval_seconds)
  const { data } = yield* Effect.sleep(between).pipe(
    Effect.andThen(client.devices.redeem({ payload: { device_code: begun.device_code } })),
    Effect.retry({
      while: (error) => HttpClientError.isHttpClientError(error) || passing.has(error._tag),
      schedule: Schedule.forever
    }),
    Effect.mapError(failure(url)),
    Effect.timeoutOrElse({ duration: longestWait, orElse: nobodyCame })
  )
  const made: MadeKey = { key: Redacted.make(Redacted.value(data.token)), key_id: data.id }
  return made
})
