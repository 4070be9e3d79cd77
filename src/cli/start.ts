import { Effect } from "effect"
import { fileURLToPath } from "node:url"
import { processCountSettings } from "../platform/processes/ProcessSettings.ts"

const alone = Effect.flatten(Effect.promise(async () => (await import("./serve.ts")).serve))

/** The program of each of several processes, with `child`. */
const exec = fileURLToPath(new URL("run.js", import.meta.url))

/**
 * The processes share their port, so it is checked before the first one starts. That one reports malformed variables.
 */
const several = Effect.fnUntraced(function*(size: number) {
  const [{ checkListening }, { supervise }] = yield* Effect.promise(() =>
    Promise.all([import("./Listening.ts"), import("./processes/supervise.ts")])
  )
  yield* Effect.catchTag(checkListening, "SettingError", () => Effect.void)
  yield* supervise({ size, exec, args: ["child"] })
})

/**
 * The service, until it is interrupted: in this process, or in as many as `PROCESSES` says. Where that says one, nothing of
 * what looks after several is loaded; where it is malformed, the service names it with all else that is.
 */
export const start = Effect.gen(function*() {
  const count = yield* Effect.orElseSucceed(processCountSettings.PROCESSES.read, () => 1)
  yield* count === 1 ? alone : several(count)
})
