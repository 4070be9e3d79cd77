import { Duration, Effect, FileSystem, Option } from "effect"
import { textFile } from "../../platform/text/TextFile.ts"

const between = Duration.millis(20)

/** After so many looks at one and the same holder it counts as dead: work under a lock takes milliseconds. */
const mostLooks = 250

/** Writes our token if no other is there; false if one is. If the write fails, our new file is deleted. */
const take = Effect.fnUntraced(function*(path: string, token: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.open(path, { flag: "wx", mode: 0o600 }).pipe(
    Effect.flatMap((file) =>
      Effect.onError(
        file.writeAll(new TextEncoder().encode(token)),
        () => Effect.ignore(fs.remove(path, { force: true }))
      )
    ),
    Effect.scoped,
    Effect.as(true),
    Effect.catchTag(
      "PlatformError",
      (error) => error.reason._tag === "AlreadyExists" ? Effect.succeed(false) : Effect.fail(error)
    )
  )
})

/**
 * Does this while no other process does, by a file at `path` that holds the token of its process. A killed process
 * leaves its file, so the next waits for five seconds and removes it. A process that slept for longer can ask whether
 * the file is still its own. Of two that wait for the same dead one, the slower may remove the lock of the faster. The
 * faster learns this by asking, unless it happens between its question and its next step.
 */
export const exclusively = <A, E, R>(
  path: string,
  token: string,
  use: (isOurs: Effect.Effect<boolean>) => Effect.Effect<A, E, R>
) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const holder = Effect.option(textFile(fs, path))
      let seen = Option.none<string>()
      let looks = 0
      while (!(yield* take(path, token))) {
        const now = yield* holder
        looks = Option.getOrNull(now) === Option.getOrNull(seen) ? looks + 1 : 0
        seen = now
        if (looks === mostLooks) yield* fs.remove(path, { force: true })
        else yield* restore(Effect.sleep(between))
      }
      const isOurs = Effect.map(holder, Option.contains(token))
      const leave = Effect.flatMap(isOurs, (ours) => ours ? fs.remove(path, { force: true }) : Effect.void)
      return yield* Effect.ensuring(use(isOurs), Effect.ignore(leave))
    })
  )
