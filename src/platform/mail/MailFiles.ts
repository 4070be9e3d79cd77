import { DateTime, Effect, FileSystem, Option, Path, type PlatformError } from "effect"
import type { MailId } from "./Mail.ts"

const alreadyExists = (error: PlatformError.PlatformError) => error.reason._tag === "AlreadyExists"
const notFound = (error: PlatformError.PlatformError) => error.reason._tag === "NotFound"

// Short enough for every file system beside the time stamp, and without characters of a path.
const safeName = (recipient: string) =>
  recipient.replace(/[^A-Za-z0-9@._+-]/g, "_").replace(/\.{2,}/g, "_").slice(0, 100)

/** A mail as its file has it. */
export interface StoredMail {
  readonly id: MailId
  readonly recipient: string
  readonly message: Uint8Array
  readonly at: DateTime.Utc
  /** The UUID of its subject. */
  readonly about: string | null
}

/**
 * Mails as files, `<dataFolder>/mail/<time>-<recipient>.eml`, for their owner only. A mail about a person has a second
 * link, under `.about/<id>`, so that their removal finds it. The removal reads that folder without a table. A process
 * that dies at any moment leaves no file outside of it.
 */
export const makeMailFiles = Effect.fnUntraced(function*(dataFolder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.join(dataFolder, "mail")
  const subjects = path.join(folder, ".about")

  const isFree = (draft: string, file: string) =>
    fs.link(draft, file).pipe(
      Effect.as(true),
      Effect.catchIf(alreadyExists, () => Effect.succeed(false))
    )

  // A link to the finished file is atomic and, unlike a rename, never replaces another mail. The one by which it is found
  // again comes first.
  const publish = Effect.fnUntraced(function*(draft: string, name: string, own: Option.Option<string>) {
    for (let copy = 1;; copy++) {
      const file = copy === 1 ? `${name}.eml` : `${name}-${copy}.eml`
      if (Option.isSome(own) && !(yield* isFree(draft, path.join(own.value, file)))) continue
      if (yield* isFree(draft, path.join(folder, file))) return
      if (Option.isSome(own)) yield* fs.remove(path.join(own.value, file))
    }
  })

  /** Answers a pattern that only this file has, and others of the same moment, and that names nobody. */
  const keep = Effect.fnUntraced(function*({ about, at, id, message, recipient }: StoredMail) {
    const own = Option.map(Option.fromNullishOr(about), (about) => path.join(subjects, about))
    const drafts = Option.getOrElse(own, () => folder)
    yield* fs.makeDirectory(drafts, { recursive: true, mode: 0o700 })
    const draft = path.join(drafts, `.${id}.tmp`)
    yield* fs.writeFile(draft, message, { mode: 0o600 })
    const time = DateTime.formatIso(at).replaceAll(/[-:]/g, "")
    yield* Effect.ensuring(publish(draft, `${time}-${safeName(recipient)}`, own), Effect.ignore(fs.remove(draft)))
    return path.join(folder, `${time}-*.eml`)
  })

  const namesIn = (directory: string) =>
    Effect.catchIf(fs.readDirectory(directory), notFound, () => Effect.succeed<Array<string>>([]))

  // A folder gets this other name during its deletion, so a mail that is written meanwhile has nowhere to go.
  const leaving = (id: string) => `~${id}`

  /** True if there may be files about somebody. */
  const exist = fs.exists(subjects)

  /** The subjects of the files. */
  const about = Effect.map(namesIn(subjects), (names) => [...new Set(names.map((name) => name.replace(/^~/, "")))])

  const identity = (file: string) => Effect.map(fs.stat(file), ({ dev, ino }) => `${dev}/${Option.getOrThrow(ino)}`)

  // The name may belong to another person's mail: a process died just before it removed such a link.
  const forgetFile = Effect.fnUntraced(function*(own: string, file: string) {
    const visible = path.join(folder, file)
    const same = yield* Effect.zipWith(identity(path.join(own, file)), identity(visible), (a, b) => a === b)
      .pipe(Effect.catchIf(notFound, () => Effect.succeed(false)))
    if (same) yield* fs.remove(visible, { force: true })
    yield* fs.remove(path.join(own, file), { force: true })
  })

  const empty = Effect.fnUntraced(function*(own: string) {
    yield* Effect.forEach(yield* namesIn(own), (file) => forgetFile(own, file), { discard: true })
    yield* fs.remove(own, { recursive: true, force: true })
  })

  /** Deletes every file about this. Begun again, it goes on where it ended. */
  const forget = Effect.fnUntraced(function*(id: string) {
    const gone = path.join(subjects, leaving(id))
    yield* empty(gone)
    yield* Effect.catchIf(fs.rename(path.join(subjects, id), gone), notFound, () => Effect.void)
    yield* empty(gone)
  })

  return { about, exist, forget, keep }
})
