import { Duration, Effect, Layer } from "effect"
import { SessionStore } from "../../identity/sessions/SessionStore.ts"
import { OneTimeTokens } from "../../identity/tokens/OneTimeTokens.ts"
import { ClockGuard } from "../../platform/jobs/ClockGuard.ts"
import { repeatedly } from "../../platform/jobs/Repeatedly.ts"
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

    const onFailure = "A round of the credential worker failed"
    const drain = Effect.repeat(requests.workOne, { while: (worked) => worked })
    yield* repeatedly(guard.work(drain, false), { every: pollEvery, onFailure })
    yield* repeatedly(Effect.andThen(sessions.sweep, tokens.sweep), { every: sweepEvery, onFailure })
  })
)
