import * as NodeServices from "@effect/platform-node/NodeServices"
import { Clock, Context, Duration, Effect, FileSystem, Layer, Option, Path, type PlatformError, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { PayloadTooLarge } from "../http/errors.ts"
import { databaseSettings } from "../sql/DatabaseSettings.ts"
import { UploadCompleted, UploadSizeWrong } from "./Refusals.ts"
import { FileMissing, type StorageKey, uploadRetention } from "./Storage.ts"

/** Bytes that are read of a file at a time. */
const chunkSize = 64 * 1024

const isMissing = ({ reason }: PlatformError.PlatformError) => reason._tag === "NotFound"
const isTaken = ({ reason }: PlatformError.PlatformError) => reason._tag === "AlreadyExists"

const orMissing = <A>(work: Effect.Effect<A, PlatformError.PlatformError>): Effect.Effect<A, FileMissing> =>
  Effect.catch(work, (error) => isMissing(error) ? Effect.fail(new FileMissing()) : Effect.die(error))

const ifThere = <A>(work: Effect.Effect<A, PlatformError.PlatformError>): Effect.Effect<Option.Option<A>> =>
  Effect.orElseSucceed(Effect.asSome(orMissing(work)), Option.none)

/**
 * The files under `DATA_DIR/files`: in `uploads`, all in one folder, what is coming or waits to be settled, in `kept` what
 * is settled. Processes share them where they share the folder, so on one machine. Whatever else the file system says
 * than that a file is missing is a defect.
 */
export class LocalFiles extends Context.Service<LocalFiles, {
  /**
   * Takes in exactly `size` bytes, a chunk at a time, or nothing. What came before under this key is replaced at once, but
   * for a settled file.
   */
  write<E>(
    key: StorageKey,
    size: number,
    bytes: Stream.Stream<Uint8Array, E>
  ): Effect.Effect<void, E | PayloadTooLarge | UploadCompleted | UploadSizeWrong>
  settle(key: StorageKey): Effect.Effect<Option.Option<number>>
  /** The size of a settled file, in bytes. */
  size(key: StorageKey): Effect.Effect<number, FileMissing>
  read(
    key: StorageKey,
    range?: { readonly offset?: number; readonly bytes?: number }
  ): Stream.Stream<Uint8Array, FileMissing>
  remove(key: StorageKey): Effect.Effect<void>
  /** Deletes the uploads that are older than `uploadRetention`. */
  readonly sweep: Effect.Effect<void>
}>()("turma/storage/LocalFiles") {
  static readonly layerNoDeps = Layer.effect(
    LocalFiles,
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const random = yield* SecureRandom.SecureRandom
      const folder = path.resolve(yield* databaseSettings.DATA_DIR.read, "files")
      const uploads = path.join(folder, "uploads")
      // No key has a point in it, so this is one name for each key, and no key names what is still coming.
      const uploadOf = (key: StorageKey) => path.join(uploads, key.replaceAll("/", "."))
      const keptAt = (key: StorageKey) => path.join(folder, "kept", key)
      const sizeAt = (file: string) => Effect.map(fs.stat(file), ({ size }) => Number(size))

      const refuseSettled = Effect.fnUntraced(function*(key: StorageKey) {
        if (yield* Effect.orDie(fs.exists(keptAt(key)))) return yield* new UploadCompleted()
      })

      // A second name, which is given once, and not a move, which would replace what has it: none where there is no file.
      const nameOnce = (file: string, name: string) =>
        ifThere(Effect.catchIf(fs.link(file, name), isTaken, () => Effect.void))

      const fill = Effect.fnUntraced(
        function*<E>(file: string, size: number, bytes: Stream.Stream<Uint8Array, E>) {
          const handle = yield* Effect.orDie(fs.open(file, { flag: "wx", mode: 0o600 }))
          let written = 0
          yield* Stream.runForEach(bytes, (chunk) => {
            written += chunk.length
            return written > size
              ? Effect.fail(new PayloadTooLarge({ error: { message: "The upload is larger than it was announced" } }))
              : Effect.orDie(handle.writeAll(chunk))
          })
          if (written < size) return yield* new UploadSizeWrong()
          yield* Effect.orDie(handle.sync)
        },
        Effect.scoped
      )

      const write = Effect.fn("LocalFiles.write")(
        function*<E>(key: StorageKey, size: number, bytes: Stream.Stream<Uint8Array, E>) {
          yield* refuseSettled(key)
          yield* Effect.orDie(fs.makeDirectory(uploads, { recursive: true, mode: 0o700 }))
          const part = `${uploadOf(key)}.${yield* Effect.orDie(random.uuidV4())}.part`
          yield* fill(part, size, bytes).pipe(
            Effect.andThen(refuseSettled(key)),
            Effect.andThen(Effect.orDie(fs.rename(part, uploadOf(key)))),
            // After the rename there is nothing to remove.
            Effect.onExit(() => Effect.orDie(fs.remove(part, { force: true })))
          )
        }
      )

      // The name is what ends the upload: of two at a time one gives it, and what came again meanwhile goes.
      const settle = Effect.fn("LocalFiles.settle")(function*(key: StorageKey) {
        const kept = keptAt(key)
        if (yield* Effect.orDie(fs.exists(kept))) return yield* ifThere(sizeAt(kept))
        const place = path.dirname(kept)
        yield* Effect.orDie(fs.makeDirectory(place, { recursive: true, mode: 0o700 }))
        const named = yield* nameOnce(uploadOf(key), kept)
        // What comes after nothing was found is for the next time.
        if (Option.isSome(named)) yield* Effect.orDie(fs.remove(uploadOf(key), { force: true }))
        // The file itself was written through; this is for its name.
        yield* Effect.orDie(Effect.scoped(Effect.flatMap(fs.open(place, { flag: "r" }), ({ sync }) => sync)))
        return yield* ifThere(sizeAt(kept))
      })

      const size = (key: StorageKey) => orMissing(sizeAt(keptAt(key)))

      const read = (
        key: StorageKey,
        { bytes, offset = 0 }: { readonly offset?: number; readonly bytes?: number } = {}
      ) =>
        fs.stream(keptAt(key), { offset, chunkSize, ...(bytes === undefined ? {} : { bytesToRead: bytes }) }).pipe(
          Stream.catch((error) => isMissing(error) ? Stream.fail(new FileMissing()) : Stream.die(error))
        )

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

      return LocalFiles.of({ write, settle, size, read, remove, sweep })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([NodeServices.layer, SecureRandom.layerWebCrypto])
  )
}
