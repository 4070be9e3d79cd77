import { Effect } from "effect"
import { constants } from "node:fs"
import { access, statfs } from "node:fs/promises"

/** Bytes that PostgreSQL needs to start: two files of its log of changes. */
const needed = 32 * 1024 * 1024

/**
 * Why a server with its data in this folder cannot write, in a few words; undefined where the disk lets it. PostgreSQL
 * says so too, but its log is on the same disk.
 */
export const diskFault = (folder: string): Effect.Effect<string | undefined> =>
  Effect.promise(async () => {
    try {
      await access(folder, constants.W_OK)
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize < needed ? "the disk is full" : undefined
    } catch (error) {
      return error instanceof Error && "code" in error && error.code === "EROFS" ? "the disk is read-only" : undefined
    }
  })
