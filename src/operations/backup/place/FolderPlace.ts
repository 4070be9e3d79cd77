import { Context, DateTime, Duration, Effect, FileSystem, Option, Path, type PlatformError } from "effect"
import { createReadStream, createWriteStream, type WriteStream } from "node:fs"
import { failed, refuse } from "../archive/BackupError.ts"
import type { Destination, Source } from "../archive/Ends.ts"
import { isBackupName, isErasuresName, markOf, marksLeft, seriesOfName } from "./BackupName.ts"
import type { Place } from "./Place.ts"

const isGone = ({ reason }: PlatformError.PlatformError) => reason._tag === "NotFound"

/** The age from which a half-written file counts as a dead run's. */
const leftFor = Duration.days(1)

/** Opens a file that is new, and nobody else's: of several who try at once, one has it. */
const openNew = (file: string) =>
  Effect.callback<WriteStream, Error>((resume) => {
    const stream = createWriteStream(file, { flags: "wx", mode: 0o600, flush: true })
    const refused = (error: Error) => resume(Effect.fail(error))
    stream.once("error", refused)
    stream.once("open", () => {
      stream.off("error", refused)
      resume(Effect.succeed(stream))
    })
  })

/** Errors of file systems without hard links, such as memory cards and some networks. */
const withoutLinks = new Set<unknown>(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"])

const hasNoLinks = ({ reason }: PlatformError.PlatformError) =>
  reason.cause instanceof Error && "code" in reason.cause && withoutLinks.has(reason.cause.code)

const isTaken = (error: Error) => "code" in error && error.code === "EEXIST"

/** A new file that only we can read. It has its name once it is whole and on the disk. */
export const fileDestination = Effect.fnUntraced(function*(file: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const target = path.resolve(file)
  const part = `${target}.part`
  const writing = failed(`Writing ${target}`)
  const refuseTaken = Effect.gen(function*() {
    if (yield* Effect.mapError(fs.exists(target), writing)) return yield* refuse(`${target} exists already`)
  })
  const move = Effect.andThen(refuseTaken, Effect.mapError(fs.rename(part, target), writing))
  const open = Effect.gen(function*() {
    yield* refuseTaken
    const opened = Effect.mapError(openNew(part), (error) =>
      isTaken(error)
        ? refuse(`${part} is of a backup that runs or was cut off: delete it if none runs`)
        : failed(`Writing ${part}`)(error))
    const bytes = yield* Effect.acquireRelease(
      opened,
      (stream) => Effect.andThen(Effect.sync(() => stream.destroy()), Effect.ignore(fs.remove(part, { force: true })))
    )
    // A hard link fails if the name exists, while a move would replace that file.
    const publish = Effect.catch(
      fs.link(part, target),
      (error) => hasNoLinks(error) ? move : Effect.fail(writing(error))
    )
    return { bytes, publish }
  })
  return { name: part, open } satisfies Destination
})

/** A file. */
export const fileSource = (file: string): Source => ({ name: file, open: Effect.sync(() => createReadStream(file)) })

/** A folder, created if it does not exist. */
export const folderPlace = Effect.fnUntraced(function*(folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const place = path.resolve(folder)
  const reading = failed(`The folder ${place}`)
  // These alone: with our own scope, what a run has half written would be there for as long as the service is.
  const services = Context.make(FileSystem.FileSystem, fs).pipe(Context.add(Path.Path, path))

  /** A file that another run has deleted meanwhile is `None`. */
  const statOf = (name: string): Effect.Effect<Option.Option<FileSystem.File.Info>, PlatformError.PlatformError> =>
    Effect.asSome(fs.stat(path.join(place, name))).pipe(Effect.catch((error) =>
      isGone(error) ? Effect.succeedNone : Effect.fail(error)
    ))
  const names = Effect.gen(function*() {
    if (!(yield* fs.exists(place))) return []
    return yield* fs.readDirectory(place)
  })
  const list = Effect.gen(function*() {
    const all = yield* names
    const own = all.filter(isBackupName).toSorted()
    const marks = new Set(all)
    const found = yield* Effect.forEach(
      own,
      (name) =>
        Effect.map(
          statOf(name),
          (info) =>
            Option.map(info, ({ size }) => ({ name, bytes: Number(size), isVerified: !marks.has(markOf(name)) }))
        )
    )
    return found.flatMap(Option.toArray)
  }).pipe(Effect.mapError(reading))

  const removeFile = (name: string) => fs.remove(path.join(place, name), { force: true })

  const unmarkUnlessThere = Effect.fnUntraced(function*(name: string) {
    if (!(yield* fs.exists(path.join(place, name)))) yield* removeFile(markOf(name))
  })

  /** Says that what comes next is not verified, and takes that back where it does not come. */
  const marked = <E>(name: string, publish: Effect.Effect<void, E>) =>
    Effect.gen(function*() {
      const mark = yield* fs.open(path.join(place, markOf(name)), { flag: "w", mode: 0o600 })
      yield* mark.sync
    }).pipe(
      Effect.scoped,
      Effect.mapError(reading),
      Effect.andThen(Effect.onError(publish, () => Effect.ignore(unmarkUnlessThere(name)))),
      Effect.uninterruptible
    )

  const destination = (name: string): Destination => ({
    name: path.join(place, name),
    open: Effect.mapError(fs.makeDirectory(place, { recursive: true, mode: 0o700 }), reading).pipe(
      Effect.andThen(fileDestination(path.join(place, name))),
      Effect.flatMap(({ open }) => open),
      Effect.map(({ bytes, publish }) => ({ bytes, publish: marked(name, publish) })),
      Effect.provide(services)
    )
  })

  const sweep = Effect.fnUntraced(function*(series: string) {
    const oldest = DateTime.subtractDuration(yield* DateTime.now, leftFor)
    const all = yield* names
    yield* Effect.forEach(marksLeft(all, series, oldest), removeFile, { discard: true })
    for (const name of all) {
      if (!name.endsWith(".part") || seriesOfName(name.slice(0, -".part".length)) !== series) continue
      const mtime = Option.flatMap(yield* statOf(name), (info) => info.mtime)
      if (Option.exists(mtime, (at) => at.getTime() <= DateTime.toEpochMillis(oldest))) {
        yield* removeFile(name)
      }
    }
  }, Effect.mapError(reading))

  return {
    name: place,
    list,
    erasures: Effect.mapError(
      Effect.map(names, (all) => all.filter(isErasuresName).toSorted()),
      reading
    ),
    destination,
    source: (name) => fileSource(path.join(place, name)),
    confirm: (name) => Effect.mapError(removeFile(markOf(name)), reading),
    remove: (name) => Effect.mapError(Effect.andThen(removeFile(name), removeFile(markOf(name))), reading),
    sweep
  } satisfies Place
})
