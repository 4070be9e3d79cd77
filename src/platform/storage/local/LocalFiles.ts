import * as NodeServices from "@effect/platform-node/NodeServices"
import { Clock, Context, Duration, Effect, FileSystem, Layer, Option, Path, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { PayloadTooLarge, StorageFull } from "../../http/errors.ts"
import { waitsOutside } from "../../http/request/OutsideWaits.ts"
import { databaseSettings } from "../../sql/DatabaseSettings.ts"
import { FileMissing, type StorageKey, uploadRetention } from "../Storage.ts"
import { ifThere, isMissing, isTaken, orFull, orMissing } from "./FileErrors.ts"
import { FreeSpace, makeFreeFloor } from "./FreeSpace.ts"
import { makeFullWarning } from "./FullWarning.ts"
import { beat, makeParts, type Part } from "./Parts.ts"
import { UploadCompleted, type UploadInProgress, UploadSizeWrong, UploadTooSlow } from "./Refusals.ts"
import { makeUploadPace } from "./UploadPace.ts"

/** Bytes that are read of a file at a time. */
const chunkSize = 64 * 1024

/**
 * The files under `DATA_DIR/files`: in `parts` what is coming, in `uploads`, all in one folder, what waits to be settled, in
 * `kept` what is settled. Processes share them where they share the folder, so on one machine. Whatever else the file system says
 * than that a file is missing is a defect.
 */
export class LocalFiles extends Context.Service<LocalFiles, {
  /**
   * Takes in exactly `size` bytes, a chunk at a time, or nothing, one at a time for each key. What came before under this
   * key is replaced at once, but for a settled file.
   */
  write<E>(
    key: StorageKey,
    size: number,
    bytes: Stream.Stream<Uint8Array, E>
  ): Effect.Effect<
    void,
    E | PayloadTooLarge | StorageFull | UploadCompleted | UploadInProgress | UploadSizeWrong | UploadTooSlow
  >
  settle(key: StorageKey): Effect.Effect<Option.Option<number>, StorageFull>
  /** The size of a settled file, in bytes. */
  size(key: StorageKey): Effect.Effect<number, FileMissing>
  read(
    key: StorageKey,
    range?: { readonly offset?: number; readonly bytes?: number }
  ): Stream.Stream<Uint8Array, FileMissing>
  /** A second name of a settled file, so it takes no room; false where there is no such file. */
  copy(key: StorageKey, other: StorageKey): Effect.Effect<boolean, StorageFull>
  remove(key: StorageKey): Effect.Effect<void>
  /** Deletes the uploads that are older than `uploadRetention`. */
  readonly sweep: Effect.Effect<void>
  /** Deletes what killed processes were taking in. */
  readonly sweepParts: Effect.Effect<void>
}>()("turma/storage/LocalFiles") {
  static readonly layerNoDeps = Layer.effect(
    LocalFiles,
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const folder = path.resolve(yield* databaseSettings.DATA_DIR.read, "files")
      const uploads = path.join(folder, "uploads")
      // No key has a point in it, so this is one name for each key, and no key names what is still coming.
      const uploadOf = (key: StorageKey) => path.join(uploads, key.replaceAll("/", "."))
      const allKept = path.join(folder, "kept")
      const keptAt = (key: StorageKey) => path.join(allKept, key)
      const parts = yield* makeParts(path.join(folder, "parts"))
      const freeFloor = yield* makeFreeFloor(uploads)
      const warn = makeFullWarning()
      const warnIfFull = <A, E, R>(work: Effect.Effect<A, E, R>) =>
        Effect.tapError(work, (error) => error instanceof StorageFull ? warn : Effect.void)
      const sizeAt = (file: string) => Effect.map(fs.stat(file), ({ size }) => Number(size))

      const refuseSettled = Effect.fnUntraced(function*(key: StorageKey) {
        if (yield* Effect.orDie(fs.exists(keptAt(key)))) return yield* new UploadCompleted()
      })

      // A second name, which is given once, and not a move, which would replace what has it: false where there is no file.
      const nameOnce = (file: string, name: string) =>
        fs.link(file, name).pipe(
          Effect.as(true),
          Effect.catchIf(isTaken, () => Effect.succeed(true)),
          Effect.catchIf(isMissing, () => Effect.succeed(false)),
          orFull
        )

      // A file itself was written through; this is for its name.
      const syncNames = (place: string) =>
        orFull(Effect.scoped(Effect.flatMap(fs.open(place, { flag: "r" }), ({ sync }) => waitsOutside(sync))))

      // Folders whose own names are synced. None is removed; who made one may have died before that.
      const synced = new Set<string>()
      const makePlace = Effect.fnUntraced(function*(place: string) {
        yield* orFull(fs.makeDirectory(place, { recursive: true, mode: 0o700 }))
        for (const made of [place, allKept, folder]) {
          if (synced.has(made)) continue
          yield* syncNames(path.dirname(made))
          synced.add(made)
        }
      })

      const fill = Effect.fnUntraced(
        function*<E>(file: string, size: number, bytes: Stream.Stream<Uint8Array, E>, come: { bytes: number }) {
          const within = yield* freeFloor(size)
          const handle = yield* orFull(fs.open(file, { flag: "r+" }))
          yield* Stream.runForEach(
            bytes,
            Effect.fnUntraced(function*(chunk) {
              come.bytes += chunk.length
              if (come.bytes > size) {
                return yield* new PayloadTooLarge({ error: { message: "The upload is larger than it was announced" } })
              }
              yield* within(chunk.length, orFull(handle.writeAll(chunk)))
            })
          )
          if (come.bytes < size) return yield* new UploadSizeWrong()
          yield* waitsOutside(orFull(handle.sync))
        },
        Effect.scoped
      )

      /** Never ends well: looks after a body that is coming. */
      const watch = Effect.fnUntraced(function*({ keep }: Part, size: number, come: { readonly bytes: number }) {
        const now = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos) / 1e6)
        const pace = makeUploadPace(yield* now, size)
        while (true) {
          yield* Effect.sleep(beat)
          if (pace.isTooSlow(yield* now, come.bytes)) return yield* new UploadTooSlow()
          yield* keep
        }
      })

      const write = Effect.fn("LocalFiles.write")(
        function*<E>(key: StorageKey, size: number, bytes: Stream.Stream<Uint8Array, E>) {
          yield* refuseSettled(key)
          yield* orFull(fs.makeDirectory(uploads, { recursive: true, mode: 0o700 }))
          yield* parts.alone(key, (part) => {
            const come = { bytes: 0 }
            return Effect.raceFirst(fill(part.file, size, bytes, come), watch(part, size, come)).pipe(
              Effect.andThen(refuseSettled(key)),
              Effect.andThen(part.moveTo(uploadOf(key)))
            )
          })
        },
        warnIfFull
      )

      // The name is what ends the upload: of two at a time one gives it, and what came again meanwhile goes.
      const settle = Effect.fn("LocalFiles.settle")(function*(key: StorageKey) {
        const kept = keptAt(key)
        const place = path.dirname(kept)
        // Whoever gave the name may not have come to the end.
        const isNamed = yield* Effect.orDie(fs.exists(kept))
        yield* makePlace(place)
        const named = !isNamed && (yield* nameOnce(uploadOf(key), kept))
        // What comes after nothing was found is for the next time.
        if (named) yield* orFull(fs.remove(uploadOf(key), { force: true }))
        yield* syncNames(place)
        return yield* ifThere(sizeAt(kept))
      }, warnIfFull)

      const size = (key: StorageKey) => orMissing(sizeAt(keptAt(key)))

      const read = (
        key: StorageKey,
        { bytes, offset = 0 }: { readonly offset?: number; readonly bytes?: number } = {}
      ) =>
        fs.stream(keptAt(key), { offset, chunkSize, ...(bytes === undefined ? {} : { bytesToRead: bytes }) }).pipe(
          Stream.catch((error) => isMissing(error) ? Stream.fail(new FileMissing()) : Stream.die(error))
        )

      const copy = Effect.fn("LocalFiles.copy")(function*(key: StorageKey, other: StorageKey) {
        const kept = keptAt(other)
        const place = path.dirname(kept)
        yield* makePlace(place)
        const isThere = (yield* Effect.orDie(fs.exists(kept))) || (yield* nameOnce(keptAt(key), kept))
        if (isThere) yield* syncNames(place)
        return isThere
      })

      const remove = Effect.fn("LocalFiles.remove")((key: StorageKey) =>
        Effect.forEach([uploadOf(key), keptAt(key)], (file) => Effect.orDie(fs.remove(file, { force: true })), {
          discard: true
        })
      )

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
      }).pipe(Effect.withSpan("LocalFiles.sweep"))

      return LocalFiles.of({
        write,
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

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([FreeSpace.layer, NodeServices.layer, SecureRandom.layerWebCrypto])
  )
}
