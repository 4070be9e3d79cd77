import { DateTime, Duration, Effect, Option, type Scope, Stream } from "effect"
import { Readable, Writable } from "node:stream"
import { mostParts, type ObjectDraft, type S3Objects } from "../../../platform/storage/s3/S3Objects.ts"
import type { Bucket } from "../../../platform/storage/StorageSettings.ts"
import { type BackupError, failed, refuse } from "../archive/BackupError.ts"
import type { Destination, Draft, Source } from "../archive/Ends.ts"
import { isBackupName, isErasuresName, markOf, marksLeft, seriesOfName } from "./BackupName.ts"
import type { Place } from "./Place.ts"

/** The part of an archive that is in memory at a time. With ten thousand parts, an archive has up to 312 GiB. */
const partSize = 32 * 1024 * 1024

/** The age from which an upload counts as a dead run's. */
const leftFor = Duration.days(1)

const asError = (cause: unknown) => cause instanceof Error ? cause : new Error(String(cause))

type Run = <A>(work: Effect.Effect<A, Error>, options?: { readonly signal: AbortSignal }) => Promise<A>

/** Takes bytes, and sends them as parts that are all of the same size but the last. */
const sendingParts = (run: Run, { put }: ObjectDraft) => {
  const interrupted = new AbortController()
  const runThen = (done: (error?: Error | null) => void, work: Effect.Effect<void, Error>) => {
    run(work, { signal: interrupted.signal }).then(() => done(), (cause: unknown) => done(asError(cause)))
  }
  let buffered: Array<Uint8Array> = []
  let size = 0
  let count = 0
  const send = Effect.fnUntraced(function*(bytes: Uint8Array) {
    if (count === mostParts) return yield* refuse("it is larger than a bucket takes")
    yield* put(bytes)
    count += 1
  })
  const full = Effect.gen(function*() {
    let rest = Buffer.concat(buffered)
    for (; rest.length >= partSize; rest = rest.subarray(partSize)) yield* send(rest.subarray(0, partSize))
    buffered = rest.length > 0 ? [rest] : []
    size = rest.length
  })
  return new Writable({
    highWaterMark: 1024 * 1024,
    write: (chunk: Uint8Array, _, done) => {
      buffered.push(chunk)
      size += chunk.length
      if (size < partSize) return done()
      runThen(done, full)
    },
    final: (done) => runThen(done, size > 0 || count === 0 ? send(Buffer.concat(buffered)) : Effect.void),
    destroy: (error, done) => {
      interrupted.abort()
      done(error)
    }
  })
}

/** A bucket, below its prefix. */
export const bucketPlace = Effect.fnUntraced(function*(bucket: Bucket, objects: S3Objects) {
  const context = yield* Effect.context()
  const run: Run = Effect.runPromiseWith(context)
  const toIterable = Stream.toAsyncIterableWith(context)
  const place = `s3://${bucket.base.host}/${bucket.name}/${bucket.prefix}`.replace(/\/$/, "")
  const asking = failed(`The bucket ${place}`)

  const list = Effect.map(
    objects.list,
    (found) => {
      const names = new Set(found.map(({ name }) => name))
      return found.filter(({ name }) => isBackupName(name))
        .toSorted((one, other) => one.name < other.name ? -1 : 1)
        .map((stored) => ({ ...stored, isVerified: !names.has(markOf(stored.name)) }))
    }
  ).pipe(Effect.mapError(asking))

  const refuseTaken = Effect.fnUntraced(function*(name: string) {
    const taken = yield* Effect.mapError(objects.head(name), asking)
    if (Option.isSome(taken)) return yield* refuse(`${place}/${name} exists already`)
  })

  const mark = Effect.fnUntraced(function*(name: string) {
    const draft = yield* objects.begin(markOf(name))
    yield* Effect.onError(
      Effect.andThen(draft.put(Buffer.from("\n")), draft.complete),
      () => Effect.ignore(draft.abandon)
    )
  })

  const unmarkUnlessThere = Effect.fnUntraced(function*(name: string) {
    if (Option.isNone(yield* objects.head(name))) yield* objects.remove(markOf(name))
  })

  const open = Effect.fnUntraced(function*(name: string): Effect.fn.Return<Draft, BackupError, Scope.Scope> {
    yield* refuseTaken(name)
    let isPublished = false
    const draft = yield* Effect.acquireRelease(
      Effect.mapError(objects.begin(name), asking),
      // An upload that cannot be ended now is removed a day later.
      (begun) => Effect.suspend(() => isPublished ? Effect.void : Effect.ignore(begun.abandon))
    )
    const bytes = yield* Effect.acquireRelease(
      Effect.sync(() => sendingParts(run, draft)),
      (stream) => Effect.sync(() => stream.destroy())
    )
    const publish = Effect.gen(function*() {
      yield* Effect.mapError(mark(name), asking)
      yield* Effect.onError(Effect.mapError(draft.complete, asking), () => Effect.ignore(unmarkUnlessThere(name)))
      isPublished = true
    })
    // Another run may have begun in the same second.
    return { bytes, publish: Effect.andThen(refuseTaken(name), Effect.uninterruptible(publish)) }
  })

  const destination = (name: string): Destination => ({ name: `${place}/${name}`, open: open(name) })

  const pieces = (name: string, etag: string, size: number) =>
    Stream.unfold(0, (offset) =>
      offset >= size
        ? Effect.succeed(undefined)
        : Effect.map(
          objects.read(name, etag, offset, Math.min(partSize, size - offset)),
          (bytes) => [bytes, offset + bytes.length] as const
        ))

  const source = (name: string): Source => ({
    name: `${place}/${name}`,
    open: Effect.gen(function*() {
      const found = yield* Effect.mapError(objects.head(name), asking)
      if (Option.isNone(found)) return yield* refuse(`${place}/${name}: there is no such backup`)
      const { bytes, etag } = found.value
      return Readable.from(toIterable(pieces(name, etag, bytes)), { objectMode: false, highWaterMark: 1 })
    })
  })

  const sweep = Effect.fnUntraced(function*(series: string) {
    const oldest = DateTime.subtractDuration(yield* DateTime.now, leftFor)
    yield* objects.endOld(oldest, (name) => seriesOfName(name) === series)
    const names = (yield* objects.list).map(({ name }) => name)
    yield* Effect.forEach(marksLeft(names, series, oldest), objects.remove, { discard: true })
  }, Effect.mapError(asking))

  return {
    name: place,
    list,
    erasures: objects.list.pipe(
      Effect.map((found) => found.map(({ name }) => name).filter(isErasuresName).toSorted()),
      Effect.mapError(asking)
    ),
    destination,
    source,
    confirm: Effect.fnUntraced(function*(name) {
      // A key that may only read has no mark to remove.
      if (Option.isSome(yield* objects.head(markOf(name)))) yield* objects.remove(markOf(name))
    }, Effect.mapError(asking)),
    remove: (name) => Effect.mapError(Effect.andThen(objects.remove(name), objects.remove(markOf(name))), asking),
    sweep
  } satisfies Place
})
