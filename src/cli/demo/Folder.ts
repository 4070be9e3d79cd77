import { Effect, FileSystem, Schedule } from "effect"

/**
 * A folder for everything that the service keeps, gone when the scope closes. PostgreSQL's user may pass through it,
 * which matters to root alone.
 */
export const demoFolder = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const make = Effect.tap(fs.makeTempDirectory({ prefix: "turma-demo-" }), (folder) => fs.chmod(folder, 0o711))
  // An interruption while PostgreSQL is being set up leaves a program behind that still writes for a moment.
  const remove = (folder: string) =>
    fs.remove(folder, { recursive: true, force: true })
      .pipe(Effect.retry({ schedule: Schedule.spaced("200 millis"), times: 50 }))
  return yield* Effect.acquireRelease(Effect.orDie(make), (folder) => Effect.orDie(remove(folder)))
})
