import { Effect } from "effect"
import { openArchive } from "../../../src/operations/backup/archive/ArchiveReader.ts"
import { writeArchive } from "../../../src/operations/backup/archive/ArchiveWriter.ts"
import { fileDestination, fileSource } from "../../../src/operations/backup/place/FolderPlace.ts"

/** Copies an archive, well formed. `change` changes each entry, or omits it by undefined. Answers the copy's path. */
export const rewritten = Effect.fnUntraced(function*(
  archive: string,
  change: (name: string, text: string) => string | undefined
) {
  const to = `${archive}.changed`
  yield* Effect.scoped(Effect.gen(function*() {
    const reader = yield* openArchive(fileSource(archive))
    yield* writeArchive(yield* fileDestination(to), ({ add }) =>
      Effect.gen(function*() {
        for (let entry = yield* reader.next; entry !== undefined; entry = yield* reader.next) {
          const text = change(entry.name, (yield* entry.bytes).toString("utf8"))
          if (text !== undefined) yield* add(entry.name, Buffer.from(text))
        }
      }))
  }))
  return to
})
