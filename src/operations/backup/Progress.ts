import { Clock, Console, Context, Duration, Effect } from "effect"

/** Reports the progress: a finished step at once, the rest from time to time. */
export type Progress = (text: string, isDone: boolean) => Effect.Effect<void>

const every = Duration.toMillis("2 seconds")

/** True if nobody watches: then it reports nothing before the end. */
export const Quiet = Context.Reference<boolean>("turma/operations/backup/Quiet", { defaultValue: () => false })

/** Progress on standard error, where it is in nobody's way. */
export const makeProgress = Effect.gen(function*() {
  if (yield* Quiet) return (): Effect.Effect<void> => Effect.void
  let last = yield* Clock.currentTimeMillis
  const progress: Progress = Effect.fnUntraced(function*(text, isDone) {
    const now = yield* Clock.currentTimeMillis
    if (!isDone && now - last < every) return
    last = now
    yield* Console.error(`turma: ${text}`)
  })
  return progress
})
