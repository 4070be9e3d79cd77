import * as NodeServices from "@effect/platform-node/NodeServices"
import { Clock, Context, Duration, Effect, FileSystem, Layer, Option, Path, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { type PayloadTooLarge, StorageFull, UploadCompleted } from "../../http/errors.ts"
import { databaseSettings } from "../../sql/DatabaseSettings.ts"
import { type Expected, FileMissing, type StorageKey, uploadRetention } from "../Storage.ts"
import { partsOf } from "../UploadInParts.ts"
import { makeAssembly } from "./Assembly.ts"
import { ifThere, isMissing, orFull, orMissing } from "./FileErrors.ts"
import { makeFileNames } from "./FileNames.ts"
import { FreeSpace } from "./FreeSpace.ts"
import { makeFullWarning } from "./FullWarning.ts"
import { makeParts } from "./Parts.ts"
import type { UploadInProgress, UploadSizeWrong, UploadTooSlow, UrlInvalid } from "./Refusals.ts"
import { makeUploadBodies } from "./UploadBodies.ts"

/** Bytes that are read of a file at a time. */
const chunkSize = 64 * 1024

/** Why a body is not taken in. */
type RefusedBody =
  | PayloadTooLarge
  | StorageFull
  | UploadCompleted
  | UploadInProgress
  | UploadSizeWrong
  | UploadTooSlow

/**
 * The files under `DATA_DIR/files`. `parts` has uploads in progress, `assembly` uploads that come in parts. `uploads`,
 * all in one folder, has files that wait to be settled, and `kept` has settled ones. Processes on one machine share
 * them. Any fault of the file system other than a missing file is a defect.
 */
export class LocalFiles extends Context.Service<LocalFiles, {
  /**
   * Accepts exactly `size` bytes, a chunk at a time, or nothing, one upload at a time for each key. It replaces an
   * earlier upload under this key at once, except a settled file.
   */
  write<E>(
    key: StorageKey,
    size: number,
    bytes: Stream.Stream<Uint8Array, E>
  ): Effect.Effect<void, E | RefusedBody>
  /** Begins an upload in parts, or goes on with one, and tells which parts are there. */
  resume(key: StorageKey): Effect.Effect<(number: number) => boolean, StorageFull>
  /**
   * Accepts a part, which has exactly `size` bytes, or nothing; one at a time for each part. The first body of a part
   * stays. `UrlInvalid`: the upload in parts was not begun, or is over.
   */
  writePart<E>(
    key: StorageKey,
    number: number,
    size: number,
    bytes: Stream.Stream<Uint8Array, E>
  ): Effect.Effect<void, E | RefusedBody | UrlInvalid>
  /** Makes an upload of the parts; false where not all of them are there. */
  assemble(expected: Expected): Effect.Effect<boolean, StorageFull>
  settle(key: StorageKey): Effect.Effect<Option.Option<number>, StorageFull>
  /** The size of a settled file, in bytes. */
  size(key: StorageKey): Effect.Effect<number, FileMissing>
  read(
    key: StorageKey,
    range?: { readonly offset?: number; readonly bytes?: number }
  ): Stream.Stream<Uint8Array, FileMissing>
  /** A second name (hard link) of a settled file, so it takes no room; false if there is no such file. */
  copy(key: StorageKey, other: StorageKey): Effect.Effect<boolean, StorageFull>
  remove(key: StorageKey): Effect.Effect<void>
  /** Deletes the uploads that are older than `uploadRetention`. */
  readonly sweep: Effect.Effect<void>
  /** Deletes what killed processes were taking in. */
  readonly sweepParts: Effect.Effect<void>
}>()("turma/platform/storage/local/LocalFiles") {
  static readonly layerNoDeps = Layer.effect(
    LocalFiles,
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const folder = path.resolve(yield* databaseSettings.DATA_DIR.read, "files")
      const uploads = path.join(folder, "uploads")
      // No key has a point in it, so this is one name for each key, and no key names what is still coming.
      const uploadOf = (key: StorageKey) => path.join(uploads, key.replaceAll("/", "."))
      const settledFolder = path.join(folder, "kept")
      const settledAt = (key: StorageKey) => path.join(settledFolder, key)
      const parts = yield* makeParts(path.join(folder, "parts"))
      const bodies = yield* makeUploadBodies(uploads)
      const names = yield* makeFileNames([settledFolder, folder])
      const { makePlace, nameOnce, syncNames } = names
      const assembly = yield* makeAssembly(path.join(folder, "assembly"), { parts, bodies, names })
      const warn = makeFullWarning()
      const warnIfFull = <A, E, R>(work: Effect.Effect<A, E, R>) =>
        Effect.tapError(work, (error) => error instanceof StorageFull ? warn : Effect.void)
      const sizeAt = (file: string) => Effect.map(fs.stat(file), ({ size }) => Number(size))

      const refuseSettled = Effect.fnUntraced(function*(key: StorageKey) {
        if (yield* Effect.orDie(fs.exists(settledAt(key)))) return yield* new UploadCompleted()
      })

      const write = Effect.fn("LocalFiles.write")(
        function*<E>(key: StorageKey, size: number, bytes: Stream.Stream<Uint8Array, E>) {
          yield* refuseSettled(key)
          yield* orFull(fs.makeDirectory(uploads, { recursive: true, mode: 0o700 }))
          yield* parts.alone(key, (part) =>
            bodies.takeIn(part, size, bytes).pipe(
              Effect.andThen(refuseSettled(key)),
              Effect.andThen(part.moveTo(uploadOf(key)))
            ))
        },
        warnIfFull
      )

      const writePart = Effect.fn("LocalFiles.writePart")(
        function*<E>(key: StorageKey, number: number, size: number, bytes: Stream.Stream<Uint8Array, E>) {
          yield* refuseSettled(key)
          yield* orFull(fs.makeDirectory(uploads, { recursive: true, mode: 0o700 }))
          yield* assembly.write(key, number, size, bytes)
        },
        warnIfFull
      )

      const isWhole = Effect.fnUntraced(function*(key: StorageKey) {
        return (yield* Effect.orDie(fs.exists(uploadOf(key)))) || (yield* Effect.orDie(fs.exists(settledAt(key))))
      })

      // An assembly becomes a whole upload before its folder is removed.
      const resume = Effect.fn("LocalFiles.resume")(function*(key: StorageKey) {
        if (yield* isWhole(key)) return () => true
        const received = yield* assembly.begin(key)
        return (yield* isWhole(key)) ? () => true : (number: number) => received.has(number)
      }, warnIfFull)

      const assemble = Effect.fn("LocalFiles.assemble")(function*({ key, size_bytes }: Expected) {
        yield* makePlace(uploads)
        return (yield* assembly.finish(key, partsOf(size_bytes).length, uploadOf(key))) || (yield* isWhole(key))
      }, warnIfFull)

      // The name ends the upload: of two settlements at a time one sets it, and a second upload meanwhile is deleted.
      const settle = Effect.fn("LocalFiles.settle")(function*(key: StorageKey) {
        const settled = settledAt(key)
        const place = path.dirname(settled)
        // The process that gave the name may have died before the end.
        const isNamed = yield* Effect.orDie(fs.exists(settled))
        yield* makePlace(place)
        const named = !isNamed && (yield* nameOnce(uploadOf(key), settled))
        // If no upload was found, one that comes later waits for the next settlement.
        if (named) yield* orFull(fs.remove(uploadOf(key), { force: true }))
        yield* syncNames(place)
        return yield* ifThere(sizeAt(settled))
      }, warnIfFull)

      const size = (key: StorageKey) => orMissing(sizeAt(settledAt(key)))

      const read = (
        key: StorageKey,
        { bytes, offset = 0 }: { readonly offset?: number; readonly bytes?: number } = {}
      ) =>
        fs.stream(settledAt(key), { offset, chunkSize, ...(bytes === undefined ? {} : { bytesToRead: bytes }) })
          .pipe(Stream.catch((error) => isMissing(error) ? Stream.fail(new FileMissing()) : Stream.die(error)))

      const copy = Effect.fn("LocalFiles.copy")(function*(key: StorageKey, other: StorageKey) {
        const settled = settledAt(other)
        const place = path.dirname(settled)
        yield* makePlace(place)
        const isThere = (yield* Effect.orDie(fs.exists(settled))) || (yield* nameOnce(settledAt(key), settled))
        if (isThere) yield* syncNames(place)
        return isThere
      })

      const remove = Effect.fn("LocalFiles.remove")(function*(key: StorageKey) {
        yield* assembly.remove(key)
        for (const file of [uploadOf(key), settledAt(key)]) yield* Effect.orDie(fs.remove(file, { force: true }))
      })

      const sweep = Effect.gen(function*() {
        const oldest = (yield* Clock.currentTimeMillis) - Duration.toMillis(uploadRetention)
        const names = Option.getOrElse(yield* ifThere(fs.readDirectory(uploads)), () => [])
        for (const name of names) {
          const file = path.join(uploads, name)
          const info = yield* ifThere(fs.stat(file))
          const isOld = Option.exists(
            Option.flatMap(info, ({ mtime }) => mtime),
            (mtime) => mtime.getTime() <= oldest
          )
          if (isOld) yield* Effect.orDie(fs.remove(file, { force: true }))
        }
        yield* assembly.sweep(oldest)
      }).pipe(Effect.withSpan("LocalFiles.sweep"))

      return LocalFiles.of({
        write,
        resume,
        writePart,
        assemble,
        settle,
        size,
        read,
        copy,
        remove,
        sweep,
        sweepParts: Effect.withSpan(parts.sweep, "LocalFiles.sweepParts")
      })
    })
  )

  static readonly layer = this.layerNoDeps
    .pipe(Layer.provide([FreeSpace.layer, NodeServices.layer, SecureRandom.layerWebCrypto]))
}
