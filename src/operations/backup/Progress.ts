import { Clock, Console, Context, Duration, Effect } from "effect"

/** Says how far it is: at once where something is done, else now and then. */
export type Progress = (text: string, isDone: boolean) => Effect.Effect<void>

const every = Duration.toMillis("2 seconds")

/** Whether nobody watches: then nothing is said before the end. */
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
