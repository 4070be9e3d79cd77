import { Effect, FileSystem, Option, Path, type PlatformError, Stream } from "effect"
import type { StorageFull } from "../../http/errors.ts"
import { StorageKey } from "../Storage.ts"
import { partSize } from "../UploadInParts.ts"
import { ifThere, isMissing, isTaken, orFull } from "./FileErrors.ts"
import type { makeFileNames } from "./FileNames.ts"
import type { makeParts } from "./Parts.ts"
import { UrlInvalid } from "./Refusals.ts"
import type { makeUploadBodies } from "./UploadBodies.ts"

/** The tools of an assembly. */
interface Tools {
  readonly parts: Effect.Success<ReturnType<typeof makeParts>>
  readonly bodies: Effect.Success<ReturnType<typeof makeUploadBodies>>
  readonly names: Effect.Success<ReturnType<typeof makeFileNames>>
}

/** Bytes that are copied at a time. */
const chunkSize = 256 * 1024

/** Without its folder, the upload is over. */
const orOver = <A, R>(
  work: Effect.Effect<A, PlatformError.PlatformError, R>
): Effect.Effect<A, StorageFull | UrlInvalid, R> =>
  Effect.catch(
    work,
    (error): Effect.Effect<never, StorageFull | UrlInvalid> =>
      isMissing(error) ? Effect.fail(new UrlInvalid()) : orFull(Effect.fail(error))
  )

/**
 * Uploads that come in parts, each in a folder of its own below this one. In it, `file` is the upload, and each part is
 * copied to its place there. A part `N` exists during its copy, and `N.done` once the copy is on the disk. The folder
 * holds all state, so any process may go on with any part at any time.
 * No reader sees a mixture, however slow a process is that counts as dead. A body belongs to its writer alone until it
 * is whole. Then it gets the name `N`, which the file system gives once. So while there is no `N.done`, all copies have
 * the same bytes. The mark is set before the name is removed, and looked for after the name is opened.
 */
export const makeAssembly = Effect.fnUntraced(function*(folder: string, { bodies, names, parts }: Tools) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path

  const folderOf = (key: StorageKey) => path.join(folder, key.replaceAll("/", "."))
  const fileIn = (own: string) => path.join(own, "file")
  const partIn = (own: string, number: number) => path.join(own, `${number}`)
  const markIn = (own: string, number: number) => path.join(own, `${number}.done`)
  const exists = (file: string) => Effect.orDie(fs.exists(file))
  const remove = (file: string) => Effect.orDie(fs.remove(file, { force: true, recursive: true }))
  const open = (file: string, flag: FileSystem.OpenFlag) => fs.open(file, { flag, mode: 0o600 })

  const touch = (file: string) => Effect.scoped(Effect.asVoid(open(file, "a")))

  const copy = Effect.fnUntraced(function*(own: string, number: number, from: FileSystem.File) {
    const { size } = yield* Effect.orDie(from.stat)
    const at = Effect.tap(open(fileIn(own), "r+"), (file) => file.seek(BigInt((number - 1) * partSize), "start"))
    const bytes = Stream.unfold(undefined, () =>
      Effect.map(
        Effect.orDie(from.readAlloc(chunkSize)),
        Option.match({ onNone: () => undefined, onSome: (chunk) => [chunk, undefined] as const })
      ))
    // A part that was accepted whole has exactly its size.
    yield* bodies.fill(orOver(at), Number(size), bytes)
      .pipe(Effect.catchTag(["PayloadTooLarge", "UploadSizeWrong"], Effect.die))
    yield* orOver(touch(markIn(own, number)))
    yield* names.syncNames(own)
  })

  /** Copies a part that is there by its name. */
  const place = Effect.fnUntraced(function*(own: string, number: number) {
    const name = partIn(own, number)
    const from = yield* Effect.asSome(open(name, "r")).pipe(
      Effect.catchIf(isMissing, () => Effect.succeedNone),
      Effect.orDie
    )
    if (!(yield* exists(markIn(own, number))) && Option.isSome(from)) yield* copy(own, number, from.value)
    yield* remove(name)
  }, Effect.scoped)

  const write = Effect.fnUntraced(function*<E>(
    key: StorageKey,
    number: number,
    size: number,
    bytes: Stream.Stream<Uint8Array, E>
  ) {
    const own = folderOf(key)
    if (!(yield* exists(own))) return yield* new UrlInvalid()
    yield* parts.alone(
      StorageKey.make(`${key}/${number}`),
      Effect.fnUntraced(function*(part) {
        yield* bodies.takeIn(part, size, bytes)
        yield* orOver(Effect.catchIf(fs.link(part.file, partIn(own, number)), isTaken, () => Effect.void))
        yield* place(own, number)
      })
    )
  })

  /** The numbers of the parts that are there. */
  const numbersIn = Effect.fnUntraced(function*(own: string) {
    const found = Option.getOrElse(yield* ifThere(fs.readDirectory(own)), () => [])
    return new Set(found.map((name) => Number.parseInt(name, 10)))
  })

  const begin = Effect.fnUntraced(function*(key: StorageKey) {
    const own = folderOf(key)
    yield* orFull(fs.makeDirectory(own, { recursive: true, mode: 0o700 }))
    yield* orFull(touch(fileIn(own)))
    return yield* numbersIn(own)
  })

  const finish = Effect.fnUntraced(function*(key: StorageKey, count: number, upload: string) {
    const own = folderOf(key)
    const numbers = yield* numbersIn(own)
    for (let number = 1; number <= count; number++) {
      if (!numbers.has(number)) return false
      // A process may have died before its copy. If the upload is over by now, another process has finished it.
      yield* Effect.catchTag(place(own, number), "UrlInvalid", () => Effect.void)
    }
    yield* names.nameOnce(fileIn(own), upload)
    yield* names.syncNames(path.dirname(upload))
    // First what a part that comes now would be copied into.
    yield* remove(fileIn(own))
    yield* remove(own)
    return true
  })

  /** Deletes those to which nothing has come since then. */
  const sweep = Effect.fnUntraced(function*(oldest: number) {
    for (const name of Option.getOrElse(yield* ifThere(fs.readDirectory(folder)), () => [])) {
      const own = path.join(folder, name)
      const info = yield* ifThere(fs.stat(own))
      const isOld = Option.exists(Option.flatMap(info, ({ mtime }) => mtime), (mtime) => mtime.getTime() <= oldest)
      if (isOld) yield* remove(own)
    }
  })

  return { begin, write, finish, sweep, remove: (key: StorageKey) => remove(folderOf(key)) }
})
