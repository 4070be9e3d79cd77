import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, DateTime, Duration, Effect, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { openArchive } from "../../../../src/operations/backup/archive/ArchiveReader.ts"
import { type ArchiveWriter, writeArchive } from "../../../../src/operations/backup/archive/ArchiveWriter.ts"
import { refuse } from "../../../../src/operations/backup/archive/BackupError.ts"
import { backupName } from "../../../../src/operations/backup/place/BackupName.ts"
import { configuredPlace } from "../../../../src/operations/backup/place/BackupSettings.ts"
import { s3Times } from "../../../../src/platform/storage/s3/S3Client.ts"
import { openS3Objects } from "../../../../src/platform/storage/s3/S3Objects.ts"
import { bucketOf } from "../../../../src/platform/storage/StorageSettings.ts"
import { startS3 } from "../../../harness/S3.ts"
import { refusal } from "../../../harness/S3Answers.ts"

// Takes long: 70 MiB are sent and read several times.

/** Bytes that do not compress, for more than two parts. */
const large = createHash("shake256", { outputLength: 70 * 1024 * 1024 }).update("turma").digest()

const series = "0a1b2c3d"
const name = backupName(series, DateTime.makeUnsafe("2026-11-27T03:00:00Z"))

/** A server, and the place in it as the settings name it. */
const bucket = Effect.gen(function*() {
  const s3 = yield* startS3
  const found = yield* Effect.provide(
    configuredPlace,
    ConfigProvider.layer(ConfigProvider.fromUnknown({ BACKUP_URL: s3.url }))
  )
  return { s3, place: Option.getOrThrow(found) }
})

const fill = (bytes: Uint8Array) => ({ addStream }: ArchiveWriter) =>
  addStream("large", bytes.length, Stream.make(bytes))

const readBack = (place: Effect.Success<typeof bucket>["place"]) =>
  Effect.scoped(Effect.gen(function*() {
    const archive = yield* openArchive(place.source(name))
    const entry = yield* archive.next
    const bytes = entry === undefined ? undefined : Buffer.concat([...(yield* Stream.runCollect(entry.chunks))])
    assert.isUndefined(yield* archive.next)
    yield* archive.end
    return bytes
  }))

// On the real clock: a test clock would run ahead of a busy machine's sockets.
layer(NodeServices.layer, { excludeTestServices: true })("A backup in a bucket", (it) => {
  it.effect(
    "is sent in parts and read in pieces, and a piece that fails is asked for again",
    () =>
      Effect.gen(function*() {
        const { place, s3 } = yield* bucket
        yield* writeArchive(place.destination(name), fill(large))
        const parts = s3.calls.filter(({ key, method, query }) =>
          method === "PUT" && query.has("partNumber") && key.endsWith(name)
        )
        assert.strictEqual(parts.length, 3)
        const isVerified = Effect.map(place.list, (all) => all.map((stored) => [stored.name, stored.isVerified]))
        assert.deepStrictEqual(yield* isVerified, [[name, false]])
        yield* place.confirm(name)
        assert.deepStrictEqual(yield* isVerified, [[name, true]])
        assert.deepStrictEqual([...s3.objects.keys()], [`club-files/${name}`])
        assert.isTrue((yield* readBack(place))?.equals(large))
        let refusals = 0
        s3.before(({ method, request }) =>
          method === "GET" && request.headers.range !== undefined && refusals++ === 1
            ? "reset"
            : undefined
        )
        assert.isTrue((yield* readBack(place))?.equals(large))
        assert.isAtLeast(refusals, 2)
        s3.before(() => undefined)
        assert.match(place.name, /^s3:\/\/127\.0\.0\.1:\d+\/files\/club-files$/)
        yield* place.remove(name)
        assert.deepStrictEqual(yield* place.list, [])
      })
  )
})

/** The times of a bucket, with a short back-off between attempts. */
const hasty = { ...s3Times, backoff: Duration.millis(10) }

const oneObject = Effect.gen(function*() {
  const s3 = yield* startS3
  const objects = yield* openS3Objects(Option.getOrThrow(bucketOf(s3.url)), hasty)
  const body = Buffer.from("as it was")
  s3.objects.set(`club-files/${name}`, { body, type: "", etag: "\"a\"", modified: 0 })
  return { s3, objects, body }
})

layer(NodeServices.layer, { excludeTestServices: true })("A bucket that is odd", (it) => {
  it.effect("is asked again for a piece that is short or while it is busy, and never sends more than a piece", () =>
    Effect.gen(function*() {
      const { body, objects, s3 } = yield* oneObject
      const odd = [
        { status: 206, body: "as" },
        refusal(503, "SlowDown")
      ]
      s3.before(() => odd.shift())
      assert.deepStrictEqual(Buffer.from(yield* objects.read(name, "\"a\"", 0, body.length)), body)
      s3.before(() => ({ status: 206, body: "as" }))
      assert.match((yield* Effect.flip(objects.read(name, "\"a\"", 0, 9))).message, /a piece of another length$/)
      s3.before(() => ({ status: 200, body }))
      assert.match((yield* Effect.flip(objects.read(name, "\"a\"", 0, 9))).message, /it sends no pieces of objects$/)
    }))

  it.effect("is not listed for ever where it answers the same page", () =>
    Effect.gen(function*() {
      const { objects, s3 } = yield* oneObject
      const page = "<ListBucketResult><NextContinuationToken>a</NextContinuationToken></ListBucketResult>"
      s3.before(() => ({ status: 200, body: page }))
      assert.match((yield* Effect.flip(objects.list)).message, /the same page again$/)
    }))

  it.effect("has a place taken while it was filled", () =>
    Effect.gen(function*() {
      const { place, s3 } = yield* bucket
      const small = fill(Buffer.from("mine"))
      const other = writeArchive(place.destination(name), fill(Buffer.from("theirs")))
      const late = yield* Effect.flip(writeArchive(place.destination(name), (writer) =>
        Effect.andThen(small(writer), other)))
      assert.match(late.message, /exists already$/)
      assert.strictEqual((yield* readBack(place))?.toString(), "theirs")
      assert.deepStrictEqual(s3.inParts(), [])
    }))
})

layer(NodeServices.layer)("A backup that a bucket does not get whole", (it) => {
  it.effect("takes nobody's place, and leaves nothing where it was not finished", () =>
    Effect.gen(function*() {
      const { place, s3 } = yield* bucket
      const left = Effect.sync(() => ({ objects: s3.objects.size, open: s3.inParts().length }))
      const failure = yield* Effect.flip(writeArchive(place.destination(name), (writer) =>
        Effect.andThen(fill(large.subarray(0, 40 * 1024 * 1024))(writer), Effect.fail(refuse("no")))))
      assert.strictEqual(failure.message, "no")
      assert.deepStrictEqual(yield* left, { objects: 0, open: 0 })
      s3.before(({ query }) =>
        query.get("partNumber") === "2" ? refusal(403, "AccessDenied") : undefined
      )
      const refused = yield* Effect.flip(writeArchive(place.destination(name), fill(large)))
      assert.match(
        refused.message,
        /^Writing s3:\/\/127\.0\.0\.1:\d+\/files\/club-files\/\S+: S3 answered PUT with 403 AccessDenied$/
      )
      assert.deepStrictEqual(yield* left, { objects: 0, open: 0 })
      s3.before(() => undefined)
      yield* writeArchive(place.destination(name), fill(large.subarray(0, 10)))
      const taken = yield* Effect.flip(writeArchive(place.destination(name), fill(large.subarray(0, 10))))
      assert.match(taken.message, /exists already$/)
      // The backup itself, and the mark that it is not verified.
      assert.deepStrictEqual(yield* left, { objects: 2, open: 0 })
      yield* place.remove(name)
      s3.before(({ key, method, query }) =>
        method === "POST" && query.has("uploadId") && key.endsWith(name) ? refusal(403, "AccessDenied") : undefined
      )
      yield* Effect.flip(writeArchive(place.destination(name), fill(large.subarray(0, 10))))
      assert.deepStrictEqual(yield* left, { objects: 0, open: 0 })
    }))

  it.effect("ends what a killed run of this installation began a day ago, and nobody else's", () =>
    Effect.gen(function*() {
      const { place, s3 } = yield* bucket
      const objects = yield* openS3Objects(Option.getOrThrow(bucketOf(s3.url)))
      const begun = [name, backupName("ffffffff", DateTime.makeUnsafe(0)), "film.mp4"]
      yield* Effect.forEach(begun, objects.begin)
      yield* place.sweep(series)
      assert.strictEqual(s3.inParts().length, 3)
      yield* TestClock.adjust("25 hours")
      yield* place.sweep(series)
      assert.deepStrictEqual(s3.inParts().map(([own]) => own).toSorted(), begun.slice(1).toSorted())
    }))
})
