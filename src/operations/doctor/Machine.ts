import { ByteSize, Effect, FileSystem, Option } from "effect"
import { statfs } from "node:fs/promises"
import { resolve } from "node:path"
import { databaseSettings } from "../../platform/sql/DatabaseSettings.ts"
import { storageSettings } from "../../platform/storage/StorageSettings.ts"
import { textFile } from "../../platform/text/TextFile.ts"
import { check, ok, problem, warning } from "./Finding.ts"

/** Connections to clients, receivers and the database, with room to spare. */
const enoughFiles = 4096

// A Node that is too old has ended with a message before this.
const nodeVersion = check("Node", Effect.sync(() => [ok("Node", `version ${process.versions.node}`)]))

const limitIn = (text: string) => {
  const [, soft] = /^Max open files\s+(\w+)/m.exec(text) ?? []
  return soft === "unlimited" ? Infinity : Number(soft)
}

const openFiles = check(
  "Open files",
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const text = yield* Effect.option(textFile(fs, "/proc/self/limits"))
    const limit = Option.match(text, { onNone: () => Number.NaN, onSome: limitIn })
    if (Number.isNaN(limit)) return []
    return limit >= enoughFiles
      ? [ok("Open files", `a process may have ${limit}`)]
      : [
        warning(
          "Open files",
          `a process may have ${limit}, which many connections use up`,
          `Allow more: ulimit -n ${enoughFiles}, or LimitNOFILE= of systemd`
        )
      ]
  })
)

const existingParent = Effect.fnUntraced(function*(
  folder: string
): Effect.fn.Return<string, never, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem
  if (yield* Effect.orElseSucceed(fs.exists(folder), () => false)) return folder
  const above = resolve(folder, "..")
  return above === folder ? folder : yield* existingParent(above)
})

const words = (bytes: number) => ByteSize.format(ByteSize.bytes(Math.floor(bytes)))

const disk = check(
  "Disk",
  Effect.gen(function*() {
    const folder = resolve(yield* databaseSettings.DATA_DIR.read)
    const floor = ByteSize.toNumberUnsafe(yield* storageSettings.STORAGE_FREE_FLOOR.read)
    const place = yield* existingParent(folder)
    const { bavail, bsize } = yield* Effect.promise(() => statfs(place))
    const free = bavail * bsize
    const says = `${words(free)} are free for ${folder}`
    const advice = "Make room, or put DATA_DIR on a larger disk: uploads are refused once STORAGE_FREE_FLOOR is reached"
    if (free < floor) return [problem("Disk", `${says}, less than STORAGE_FREE_FLOOR (${words(floor)})`, advice)]
    return free < 2 * floor
      ? [warning("Disk", `${says}, little more than STORAGE_FREE_FLOOR`, advice)]
      : [ok("Disk", says)]
  })
)

/** What the machine brings. */
export const machineChecks = [nodeVersion, openFiles, disk]
