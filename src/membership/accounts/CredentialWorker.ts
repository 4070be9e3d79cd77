import { Duration, Effect, Layer, Schedule } from "effect"
import { SessionStore } from "../../identity/sessions/SessionStore.ts"
import { OneTimeTokens } from "../../identity/tokens/OneTimeTokens.ts"
import { ClockGuard } from "../../platform/jobs/ClockGuard.ts"
import { CredentialRequests } from "./CredentialRequests.ts"

const pollEvery = Duration.seconds(1)
const sweepEvery = Duration.hours(1)

/** Answers credential requests and deletes expired sessions, links and sign-ups. Any number may run. */
export const CredentialWorkerLayer = Layer.effectDiscard(
  Effect.gen(function*() {
    const requests = yield* CredentialRequests
    const sessions = yield* SessionStore
    const tokens = yield* OneTimeTokens
    const guard = yield* ClockGuard

    const repeatedly = <A>(work: Effect.Effect<A>, every: Duration.Duration) =>
      work.pipe(
        // A failed round, for example while the database restarts, is logged and the next one still runs.
        Effect.catchCause((cause) => Effect.logError("A round of the credential worker failed", cause)),
        Effect.repeat(Schedule.spaced(every)),
        Effect.forkScoped
      )

    const drain = Effect.repeat(requests.workOne, { while: (worked) => worked })
    yield* repeatedly(guard.work(drain, false), pollEvery)
    yield* repeatedly(Effect.andThen(sessions.sweep, tokens.sweep), sweepEvery)
  })
)
