import { Effect } from "effect"
import type { ask } from "../harness/Turma.ts"

/** Requests time out after this. */
const patience = "5 seconds"

/** Repeats a request until it gets an answer other than a fault of the service. */
export const retried = (request: ReturnType<typeof ask>) =>
  request.pipe(
    Effect.timeout(patience),
    Effect.catchCause(() => Effect.andThen(Effect.sleep("200 millis"), Effect.succeed(undefined))),
    Effect.repeat({ until: (answer) => answer !== undefined && answer.status < 500 && answer.status !== 429 }),
    Effect.flatMap((answer) => answer === undefined ? Effect.die(new Error("No answer")) : Effect.succeed(answer))
  )
