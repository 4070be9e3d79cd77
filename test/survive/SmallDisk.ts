import { Effect, FileSystem } from "effect"
import { execFileSync } from "node:child_process"
import { closeSync, openSync, writeSync } from "node:fs"
import { userInfo } from "node:os"
import { join } from "node:path"
import { ifWeDie } from "../harness/Watchdog.ts"

const isFull = (error: unknown) => error instanceof Error && "code" in error && error.code === "ENOSPC"

/** Writes until the disk refuses, the last bytes one page at a time. */
const fillUp = (file: string) => {
  const descriptor = openSync(file, "w")
  try {
    for (const size of [1024 * 1024, 4096]) {
      const chunk = Buffer.alloc(size)
      try {
        while (writeSync(descriptor, chunk) === size);
      } catch (error) {
        if (!isFull(error)) throw error
      }
    }
  } finally {
    closeSync(descriptor)
  }
}

/**
 * A file system of its own with so many bytes, unmounted with the scope, or why there cannot be one. Everybody may pass
 * through it, as PostgreSQL's user has to.
 */
export const mountDisk = Effect.fnUntraced(function*(bytes: number) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-disk-" })
  yield* fs.chmod(folder, 0o711)
  if (userInfo().uid !== 0) return { unmounted: "only root mounts a file system" } as const
  const mount = Effect.try(() =>
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${bytes},mode=711`, "tmpfs", folder], { stdio: "pipe" })
  )
  const unmount = Effect.sync(() => void execFileSync("umount", ["-l", folder]))
  const mounted = yield* Effect.option(Effect.acquireRelease(mount, () => unmount))
  if (mounted._tag === "None") return { unmounted: "this machine mounts no tmpfs" } as const
  yield* ifWeDie(`umount -l "$1"`, folder)
  const filler = join(folder, "filler")
  const remount = (mode: "ro" | "rw") =>
    Effect.sync(() => void execFileSync("mount", ["-o", `remount,${mode}`, folder], { stdio: "pipe" }))
  return {
    unmounted: undefined,
    folder,
    /** Not a byte is left. */
    fill: Effect.sync(() => fillUp(filler)),
    makeRoom: fs.remove(filler),
    remount
  } as const
})
