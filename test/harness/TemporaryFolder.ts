import { Effect, FileSystem } from "effect"
import { spawnSync } from "node:child_process"
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ifWeDie } from "./Watchdog.ts"

const memoryDisk = "/dev/shm"

/** Bytes that a run needs: it writes some 7 GiB of databases and files, and keeps about 2 of them at a time. */
const roomy = 8 * 1024 ** 3

/** True if a file in this folder can run. The disk of a container may forbid that. */
const runs = (folder: string): boolean => {
  const script = join(folder, "script")
  writeFileSync(script, "#!/bin/sh\n")
  chmodSync(script, 0o755)
  return spawnSync(script).status === 0
}

/** True if there is a disk in memory with room for a run. */
const hasMemoryDisk = (): boolean => {
  try {
    accessSync(memoryDisk, constants.W_OK)
    const { bavail, bsize } = statfsSync(memoryDisk)
    if (Math.min(bavail * bsize, process.availableMemory()) < roomy) return false
    const folder = mkdtempSync(join(memoryDisk, "turma-run-"))
    try {
      return runs(folder)
    } finally {
      rmSync(folder, { recursive: true })
    }
  } catch {
    return false
  }
}

/**
 * The folder of a run for all temporary files of tests. It lies on a disk in memory if there is one and TMPDIR does not
 * name another folder. The scope removes it with all its files.
 */
export const temporaryFolder = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const directory = process.env["TMPDIR"] ?? (hasMemoryDisk() ? memoryDisk : tmpdir())
  // A browser that is ending may still write into the folder for a moment.
  const folder = yield* Effect.acquireRelease(
    fs.makeTempDirectory({ directory, prefix: "turma-run-" }),
    (made) => Effect.promise(() => rm(made, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
  )
  // Lets PostgreSQL's user through. If we are root, that is a different user.
  yield* fs.chmod(folder, 0o711)
  yield* ifWeDie(`sleep 3; rm -rf "$1"`, folder)
  return folder
})
