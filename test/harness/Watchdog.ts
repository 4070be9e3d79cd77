import { Effect, FileSystem, Option } from "effect"
import { spawn } from "node:child_process"

/**
 * Runs a shell script (`$1`… are `args`) if this process dies before the scope closes. It notices any death, because a
 * pipe that only we hold ends then. A cut-short test run leaves no server behind.
 */
export const ifWeDie = (script: string, ...args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const watchdog = spawn("/bin/sh", ["-c", `cat; ${script}`, "sh", ...args], {
        detached: true,
        stdio: ["pipe", "ignore", "ignore"]
      })
      watchdog.unref()
      return watchdog
    }),
    (watchdog) => Effect.sync(() => watchdog.kill("SIGKILL"))
  )

const stopAndRemove = `kill -INT "$(head -n 1 "$1/postgres/cluster/postmaster.pid")"; sleep 2; rm -rf "$1"`

/**
 * A folder for an embedded PostgreSQL, as `<folder>/postgres`, removed with the scope. `mode` decides if PostgreSQL's
 * user can pass through it when we are root.
 */
export const postgresFolder = Effect.fnUntraced(function*(mode: number = 0o711) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-test-" })
  yield* fs.chmod(folder, mode)
  yield* ifWeDie(stopAndRemove, folder)
  return folder
})

/** A folder for `DATA_DIR`. If we are root, PostgreSQL's user cannot reach it, and the database is a link elsewhere. */
export const dataFolder = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* postgresFolder(0o700)
  yield* Effect.addFinalizer(() =>
    Effect.flatMap(
      Effect.option(fs.readLink(`${folder}/postgres`)),
      (link) => Option.isSome(link) ? Effect.ignore(fs.remove(link.value, { recursive: true })) : Effect.void
    )
  )
  return folder
})
