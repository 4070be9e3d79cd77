import { Duration, Effect, Layer } from "effect"
import { SessionStore } from "../../identity/sessions/SessionStore.ts"
import { OneTimeTokens } from "../../identity/tokens/OneTimeTokens.ts"
import { batchWorker } from "../../platform/jobs/BatchWorker.ts"
import { repeatedly } from "../../platform/jobs/Repeatedly.ts"
import { untilDue } from "../../platform/jobs/UntilDue.ts"
import { CredentialRequests } from "./CredentialRequests.ts"
import { waitingRequests } from "./WaitingRequests.ts"

const pollEvery = Duration.seconds(1)
const sweepEvery = Duration.hours(1)

/**
 * The time that a running request may delay a shutdown. After it the request is rolled back, and another process
 * answers.
 */
const shutdownGrace = Duration.seconds(10)

/** Answers credential requests and deletes expired sessions, links and sign-ups. Any number may run. */
export const CredentialWorkerLayer = Layer.effectDiscard(Effect.gen(function*() {
  const requests = yield* CredentialRequests
  const sessions = yield* SessionStore
  const tokens = yield* OneTimeTokens

  const onFailure = "A round of the credential worker failed"
  yield* batchWorker({
    tick: Effect.map(requests.workOne, (worked) => worked ? 1 : 0),
    full: 1,
    idle: yield* untilDue(waitingRequests, { pollEvery }),
    shutdownGrace,
    onFailure,
    onCutOff: "A credential request is processed later"
  })
  yield* repeatedly(Effect.andThen(sessions.sweep, tokens.sweep), { every: sweepEvery, onFailure })
}))
