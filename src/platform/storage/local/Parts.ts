import { Clock, DateTime, Duration, Effect, FileSystem, Option, Path, type PlatformError } from "effect"
import { SecureRandom } from "effect/crypto"
import type { StorageFull } from "../../http/errors.ts"
import type { StorageKey } from "../Storage.ts"
import { ifThere, isMissing, isTaken, orFull } from "./FileErrors.ts"
import { UploadInProgress } from "./Refusals.ts"

/** How often a writer renews its lease. */
export const beat = Duration.seconds(5)

/** A writer that has not renewed its lease for this long counts as dead: a killed process. */
export const lease = Duration.seconds(20)

/** A file that is being uploaded; its writer holds the lease of its key. */
export interface Part {
  /** Its writer's alone, even if another writer takes the key. */
  readonly file: string
  /** Says that its writer lives. Fails once somebody else holds the key. */
  readonly renew: Effect.Effect<void, StorageFull | UploadInProgress>
  /** Makes the part this file, whatever that was. */
  moveTo(file: string): Effect.Effect<void, StorageFull | UploadInProgress>
}

/** If its file is missing, the part counted as dead and was deleted. */
const orLost = <A>(
  work: Effect.Effect<A, PlatformError.PlatformError>
): Effect.Effect<A, StorageFull | UploadInProgress> =>
  Effect.matchEffect(work, {
    onFailure: (error): Effect.Effect<never, StorageFull | UploadInProgress> =>
      isMissing(error) ? Effect.fail(new UploadInProgress()) : orFull(Effect.fail(error)),
    onSuccess: Effect.succeed
  })

/**
 * Uploads in progress, in a folder that processes share. The lease of a key is a second name of the part, which the
 * file system gives to one. Its time is the last sign of life of its writer. After the lease the next writer takes the
 * name, so a dead process never blocks a key. A writer that was only slow finds the name missing and ends. Its bytes
 * are in a file of its own, so nobody reads a mixture.
 */
export const makeParts = Effect.fnUntraced(function*(folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const random = yield* SecureRandom.SecureRandom

  // No key has a point or a tilde in it: one name for each key, and no name of a part.
  const nameOf = (key: StorageKey) => path.join(folder, key.replaceAll("/", "."))
  const infoOf = (file: string) => ifThere(fs.stat(file))
  const remove = (file: string) => Effect.orDie(fs.remove(file, { force: true }))

  const isDead = ({ mtime }: FileSystem.File.Info) =>
    Effect.map(
      Clock.currentTimeMillis,
      (now) => Option.exists(mtime, (heard) => heard.getTime() <= now - Duration.toMillis(lease))
    )

  /** True if the name now belongs to this part. */
  const link = (part: string, name: string) =>
    orLost(Effect.catchIf(Effect.as(fs.link(part, name), true), isTaken, () => Effect.succeed(false)))

  const isSame = (one: FileSystem.File.Info, other: Option.Option<FileSystem.File.Info>) =>
    Option.exists(other, ({ dev, ino }) => dev === one.dev && Option.getOrNull(ino) === Option.getOrNull(one.ino))

  const claim = Effect.fnUntraced(function*(part: string, name: string) {
    if (yield* link(part, name)) return
    const holder = yield* infoOf(name)
    // It ended just now.
    if (Option.isNone(holder) && (yield* link(part, name))) return
    if (Option.isNone(holder) || !(yield* isDead(holder.value))) return yield* new UploadInProgress()
    // A name that is moved takes the place of the other; of two at a time the later has it.
    yield* link(part, `${part}~`)
    yield* orLost(fs.rename(`${part}~`, name))
  })

  const renew = Effect.fnUntraced(function*(part: string, name: string, own: FileSystem.File.Info) {
    const now = DateTime.toDateUtc(yield* DateTime.now)
    yield* orLost(fs.utimes(part, now, now))
    const isOurs = isSame(own, yield* infoOf(name)) || (yield* link(part, name))
    if (!isOurs) return yield* new UploadInProgress()
  })

  const begin = Effect.fnUntraced(function*(key: StorageKey) {
    yield* orFull(fs.makeDirectory(folder, { recursive: true, mode: 0o700 }))
    const name = nameOf(key)
    const file = `${name}~${yield* Effect.orDie(random.uuidV4())}`
    const own =
      yield* orFull(Effect.scoped(Effect.flatMap(fs.open(file, { flag: "wx", mode: 0o600 }), ({ stat }) => stat)))
    const renewed = renew(file, name, own)
    const moveTo = (to: string) => Effect.andThen(renewed, orLost(fs.rename(file, to)))
    return { file, name, own, renew: renewed, moveTo }
  })

  /** Gives the key to one at a time, with a part that is deleted afterwards unless it was moved away. */
  const alone = <A, E>(key: StorageKey, use: (part: Part) => Effect.Effect<A, E>) =>
    Effect.acquireUseRelease(
      begin(key),
      (part) => Effect.andThen(claim(part.file, part.name), use(part)),
      Effect.fnUntraced(function*({ file, name, own }) {
        if (isSame(own, yield* infoOf(name))) yield* remove(name)
        yield* remove(file)
      })
    )

  /** Deletes what dead processes were writing. */
  const sweep = Effect.gen(function*() {
    const names = Option.getOrElse(yield* ifThere(fs.readDirectory(folder)), () => [])
    for (const name of names) {
      const file = path.join(folder, name)
      const info = yield* infoOf(file)
      if (Option.isSome(info) && (yield* isDead(info.value))) yield* remove(file)
    }
  })

  return { alone, sweep }
})
