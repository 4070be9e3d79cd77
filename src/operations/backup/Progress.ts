import { Clock, Console, Duration, Effect } from "effect"

/** Says how far it is: at once where something is done, else now and then. */
export type Progress = (text: string, isDone: boolean) => Effect.Effect<void>

const every = Duration.toMillis("2 seconds")

/** Progress on standard error, where it is in nobody's way. */
export const makeProgress = Effect.gen(function*() {
  let last = yield* Clock.currentTimeMillis
  const progress: Progress = Effect.fnUntraced(function*(text, isDone) {
    const now = yield* Clock.currentTimeMillis
    if (!isDone && now - last < every) return
    last = now
    yield* Console.error(`turma: ${text}`)
  })
  return progress
})
