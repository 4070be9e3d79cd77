import { Effect, FileSystem, Schedule } from "effect"
import { execFileSync } from "node:child_process"
import { closeSync, openSync, truncateSync, writeFileSync, writeSync } from "node:fs"
import { userInfo } from "node:os"
import { basename, join } from "node:path"
import { ifWeDie } from "../harness/Watchdog.ts"

const isFull = (error: unknown) => error instanceof Error && "code" in error && error.code === "ENOSPC"

/** Writes until the disk is full, the last bytes one page at a time. */
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
 * A file system of its own with so many bytes, unmounted with the scope; or the reason that it is impossible. All users
 * may pass through its folder, as PostgreSQL's user must.
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
    /** Fills the disk to the last byte. */
    fill: Effect.sync(() => fillUp(filler)),
    makeRoom: fs.remove(filler),
    remount
  } as const
})

const run = (program: string, ...args: ReadonlyArray<string>) =>
  Effect.try(() => execFileSync(program, args, { encoding: "utf8", stdio: "pipe" }).trim())

/**
 * A disk that can fail: an ext4 on a file. After a fault Linux keeps it read-only until it is mounted again. Answers
 * the reason if that is impossible.
 */
export const mountFailingDisk = Effect.fnUntraced(function*(bytes: number) {
  const fs = yield* FileSystem.FileSystem
  const parent = yield* fs.makeTempDirectoryScoped({ prefix: "turma-disk-" })
  yield* fs.chmod(parent, 0o711)
  if (userInfo().uid !== 0) return { unmounted: "only root mounts a file system" } as const
  const image = join(parent, "image")
  const folder = join(parent, "disk")
  yield* fs.makeDirectory(folder)
  yield* Effect.sync(() => {
    writeFileSync(image, "")
    truncateSync(image, bytes)
  })
  const mount = (from: string) => run("mount", "-o", "loop,errors=remount-ro", from, folder)
  const unmount = run("umount", "-l", folder)
  const mounted = yield* Effect
    .option(Effect.acquireRelease(
      Effect.andThen(run("mkfs.ext4", "-q", image), mount(image)),
      () => Effect.ignore(unmount)
    ))
  if (mounted._tag === "None") return { unmounted: "this machine mounts no ext4 from a file" } as const
  yield* ifWeDie(`fsfreeze -u "$1"; umount -l "$1"`, folder)
  yield* fs.chmod(folder, 0o711)
  const freeze = run("fsfreeze", "-f", folder)
  const thaw = run("fsfreeze", "-u", folder)
  yield* Effect.addFinalizer(() => Effect.ignore(thaw))
  return {
    unmounted: undefined,
    folder,
    /** Writes wait during `work`, as on a device that does not answer. Reads from memory still succeed. */
    stalled: <A, E, R>(work: Effect.Effect<A, E, R>) =>
      Effect.acquireUseRelease(freeze, () => work, () => Effect.orDie(thaw)),
    /** Fails as if a sector could not be read. */
    fail: Effect.flatMap(
      run("findmnt", "-no", "SOURCE", folder),
      (device) => fs.writeFileString(`/sys/fs/ext4/${basename(device)}/trigger_fs_error`, "test")
    ),
    /** Unmounts it, once no process has a file open there, and mounts a checked copy. */
    repair: Effect.gen(function*() {
      yield* Effect.retry(run("umount", folder), Schedule.spaced("100 millis"))
      // A process with its own mounts may have copied this one: the faulty disk would only be mounted once more.
      const copy = `${image}-repaired`
      yield* run("cp", "--sparse=always", image, copy)
      // Exit code 1 means that it repaired something.
      yield* Effect.ignore(run("e2fsck", "-p", copy))
      yield* mount(copy)
    })
  } as const
})
