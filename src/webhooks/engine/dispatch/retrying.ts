import { Duration, Effect, Schedule } from "effect"

/** For so long a lane is kept while statements fail: attempts that ended and are not recorded would be sent again. */
const retryFor = Duration.minutes(10)

/** A database that is away for a while loses no result: statements are tried again for 10 minutes. */
export const retrying = <A>(problem: string, statement: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.catchCause(statement, (cause) =>
    Effect.andThen(
      Effect.logWarning(problem, cause),
      Effect
        .orDie(Effect.retry(Effect.delay(Effect.sandbox(statement), Duration.seconds(1)), Schedule.during(retryFor)))
    ))
