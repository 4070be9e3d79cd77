import { Effect } from "effect"
import { fileURLToPath } from "node:url"
import { processCountSettings } from "../platform/processes/ProcessSettings.ts"

const alone = Effect.flatten(Effect.promise(async () => (await import("./serve.ts")).serve))

/** What each of several runs, with `child`. */
const exec = fileURLToPath(new URL("run.js", import.meta.url))

const several = (size: number) =>
  Effect.flatten(
    Effect.promise(async () => (await import("./processes/supervise.ts")).supervise({ size, exec, args: ["child"] }))
  )

/**
 * The service, until it is interrupted: in this process, or in as many as `PROCESSES` says. Where that says one, nothing of
 * what looks after several is loaded; where it is malformed, the service names it with all else that is.
 */
export const start = Effect.gen(function*() {
  const count = yield* Effect.orElseSucceed(processCountSettings.PROCESSES.read, () => 1)
  yield* count === 1 ? alone : several(count)
})
