import { Effect, Redacted } from "effect"
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { Storage, StorageKey } from "../../../../src/platform/storage/Storage.ts"

/** A folder for `DATA_DIR`, removed after the tests of the file. `list` has its files, by their paths below `files`. */
export const localFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "turma-files-"))
  // The first hook of a file runs last, after the end of all writes.
  afterAll(() => rmSync(folder, { recursive: true }))
  const files = join(folder, "files")
  const list = () =>
    existsSync(files)
      ? readdirSync(files, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(files.length + 1))
        .toSorted()
      : []
  return { folder, list, empty: () => rmSync(files, { recursive: true, force: true }) }
}

/** The path of an address, as the server of a test answers it. */
export const pathOf = (url: Redacted.Redacted) => new URL(Redacted.value(url)).pathname

export const key = StorageKey.make("club/file")

/** The path to which a client sends this file. */
export const uploadPath = Effect.fn("uploadPath")(function*(
  { mime = "text/plain", size_bytes, at = key }: {
    readonly mime?: string
    readonly size_bytes: number
    readonly at?: StorageKey
  }
) {
  const storage = yield* Storage
  return pathOf((yield* storage.upload({ key: at, mime, size_bytes })).url)
})

/** The path from which a client downloads this file. */
export const downloadPath = Effect.fn("downloadPath")(function*(
  { at = key, file_name = "a.txt", inline = false, mime = "text/plain" }: {
    readonly at?: StorageKey
    readonly file_name?: string
    readonly inline?: boolean
    readonly mime?: string
  } = {}
) {
  const storage = yield* Storage
  return pathOf((yield* storage.download(at, { file_name, mime, inline })).url)
})
