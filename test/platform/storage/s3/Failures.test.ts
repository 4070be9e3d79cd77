import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { OutsideWaits } from "../../../../src/platform/http/request/OutsideWaits.ts"
import { Storage, StorageKey } from "../../../../src/platform/storage/Storage.ts"
import { eventually } from "../../../harness/Eventually.ts"
import { refusal } from "../../../harness/S3Answers.ts"
import { BucketLayer, HastyBucketLayer, S3, storageOf } from "../Drivers.ts"

const key = StorageKey.make("club/file")

/** A settled file with this content, and an S3 without faults. */
const stored = Effect.fnUntraced(function*(body = "hello") {
  const s3 = yield* S3
  s3.before(() => undefined)
  s3.objects.clear()
  s3.objects.set("club-files/kept/club/file", {
    body: Buffer.from(body),
    type: "text/plain",
    etag: "\"1\"",
    modified: 0
  })
  s3.calls.length = 0
  return s3
})

/** The message of the defect that ends the work. */
const deathOf = <A, E>(work: Effect.Effect<A, E, Storage>) =>
  Effect.map(Effect.exit(work), (exit) => Exit.isFailure(exit) ? String(Cause.squash(exit.cause)) : "It lives")

const settle = Effect.flatMap(Storage, (storage) => Effect.orDie(storage.settle(key)))
const copy = Effect.flatMap(Storage, (storage) => Effect.orDie(storage.copy(key, StorageKey.make("club/other"))))
const remove = Effect.flatMap(Storage, (storage) => storage.remove(key))
const read = Effect.flatMap(Storage, (storage) => Stream.runCollect(storage.read(key)))
  .pipe(Effect.map((chunks) => Buffer.concat(chunks).toString()))
const sweep = Effect.flatMap(Storage, (storage) => storage.sweep)

const works = Object.entries({ settle, copy, remove, read, sweep })

layer(HastyBucketLayer)("A bucket", (it) => {
  it.effect.each(works)("is asked without our traces (%s)", ([, work]) =>
    Effect.gen(function*() {
      const s3 = yield* stored()
      const sent: Array<string> = []
      s3.before(({ request }) => {
        sent.push(...Object.keys(request.headers))
        return undefined
      })
      yield* Effect.withSpan(work, "a request")
      assert.include(sent, "authorization")
      assert.notIncludeMembers(sent, ["traceparent"])
      assert.notIncludeMembers(sent, ["b3"])
    }))
})

layer(HastyBucketLayer)("A bucket that fails", (it) => {
  it.effect.each(works)("once with 503 is asked again (%s)", ([, work]) =>
    Effect.gen(function*() {
      const s3 = yield* stored()
      let count = 0
      s3.before(() => count++ === 0 ? refusal(503, "SlowDown") : undefined)
      assert.isTrue(Exit.isSuccess(yield* Effect.exit(work)))
      assert.isAbove(count, 1)
    }))

  it.effect.each(works)(
    "by breaking the connection twice is asked a third time (%s)",
    ([, work]) =>
      Effect.gen(function*() {
        const s3 = yield* stored()
        let count = 0
        s3.before(() => count++ < 2 ? "reset" : undefined)
        assert.isTrue(Exit.isSuccess(yield* Effect.exit(work)))
      })
  )

  it.effect.each(works)("three times is a defect (%s)", ([, work]) =>
    Effect.gen(function*() {
      const s3 = yield* stored()
      s3.before(() => refusal(500, "InternalError"))
      assert.match(yield* deathOf(work), /^S3Failed: S3 answered [A-Z]+ with 500 (?:InternalError|without a code)$/)
      assert.lengthOf(s3.calls, 3)
    }))

  it.effect.each(works)(
    "by refusing us is a defect at once, which names no key (%s)",
    ([, work]) =>
      Effect.gen(function*() {
        const s3 = yield* stored()
        s3.before(() => refusal(403, "AccessDenied"))
        assert.match(yield* deathOf(work), /^S3Failed: S3 answered [A-Z]+ with 403 (?:AccessDenied|without a code)$/)
        assert.lengthOf(s3.calls, 1)
      })
  )

  it.effect.each([["remove", remove], ["read", read], ["sweep", sweep]] as const)(
    "by not being there is a defect, and no missing file (%s)",
    ([, work]) =>
      Effect.gen(function*() {
        const s3 = yield* stored()
        s3.before(() => refusal(404, "NoSuchBucket"))
        assert.match(yield* deathOf(work), /with 404 NoSuchBucket$/)
      })
  )

  it.effect("with what no server of S3 says is a defect without a word of it", () =>
    Effect.gen(function*() {
      const s3 = yield* stored()
      s3.before(() => ({ status: 418, body: "<html><Code>secret text</Code></html>" }))
      assert.strictEqual(yield* deathOf(read), "S3Failed: S3 answered GET with 418 without a code")
    }))

  it.effect("in the middle of a file is a defect of its reader", () =>
    Effect.gen(function*() {
      const s3 = yield* stored()
      s3.before(({ response }) => {
        response.writeHead(200, { "content-length": 10 }).write("hello", () => response.destroy())
        return "silence"
      })
      assert.match(yield* deathOf(read), /^S3Failed: S3 did not answer GET: /)
    }))

  it.effect("to heed a range is a defect, not the wrong bytes", () =>
    Effect.gen(function*() {
      const s3 = yield* stored()
      s3.before(() => ({ status: 200, body: "hello" }))
      const { read } = yield* Storage
      const death = yield* deathOf(Stream.runDrain(read(key, { offset: 1 })))
      assert.strictEqual(death, "Error: S3 answered a range with the whole file")
    }))
})

layer(BucketLayer)("A bucket that does not answer", (it) => {
  it.effect("is waited for three times, 15 seconds each", () =>
    Effect.gen(function*() {
      const s3 = yield* stored()
      s3.before(() => "silence")
      const dying = yield* Effect.forkChild(deathOf(settle))
      for (const [count, wait] of [[1, "15 seconds"], [2, "15 seconds"], [3, "15 seconds"]] as const) {
        yield* eventually(Effect.sync(() => s3.calls.length), (calls) => calls === count)
        assert.isUndefined(dying.pollUnsafe())
        yield* TestClock.adjust(wait)
        yield* TestClock.adjust("500 millis")
      }
      assert.strictEqual(yield* Fiber.join(dying), "S3Failed: S3 did not answer HEAD: time is up")
    }))

  it.effect("in the middle of a file is waited for half a minute", () =>
    Effect.gen(function*() {
      const s3 = yield* stored()
      s3.before(({ response }) => {
        response.writeHead(200, { "content-length": 10 }).write("hello")
        return "silence"
      })
      const { read } = yield* Storage
      let got = ""
      const reading = Stream.runForEach(read(key), (chunk) => Effect.sync(() => (got += Buffer.from(chunk).toString())))
      const dying = yield* Effect.forkChild(deathOf(reading))
      yield* eventually(Effect.sync(() => got), (text) => text === "hello")
      yield* TestClock.adjust("29 seconds")
      assert.isUndefined(dying.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Fiber.join(dying), "S3Failed: S3 did not answer GET: time is up")
    }))

  it.effect("is given as long for a copy of gigabytes as it takes, up to five minutes", () =>
    Effect.gen(function*() {
      const s3 = yield* stored()
      const { settle } = yield* Storage
      const at = StorageKey.make("club/large")
      s3.objects.set("club-files/uploads/club.large", {
        body: Buffer.from("hello"),
        type: "text/plain",
        etag: "\"2\"",
        modified: 0
      })
      const copies = Promise.withResolvers<undefined>()
      let isCopying = false
      s3.before(({ request }) => {
        if (request.headers["x-amz-copy-source"] === undefined) return undefined
        isCopying = true
        return copies.promise
      })
      const waits = { count: 0 }
      const settling = yield* Effect.forkChild(Effect.provideService(settle(at), OutsideWaits, waits))
      yield* eventually(Effect.sync(() => isCopying), (copying) => copying)
      yield* TestClock.adjust("4 minutes")
      // Meanwhile the time limit of requests is suspended.
      assert.strictEqual(waits.count, 1)
      copies.resolve(undefined)
      assert.deepStrictEqual(yield* Fiber.join(settling), Option.some(5))
      assert.strictEqual(waits.count, 0)
    }))
})

layer(storageOf({ STORAGE_URL: "s3://key:secret@127.0.0.1:1/files?tls=false" }))("A bucket that is down", (it) => {
  it.effect("is not asked at the start, and is a defect when it is", () =>
    Effect.gen(function*() {
      const { upload } = yield* Storage
      yield* upload({ key, mime: "text/plain", size_bytes: 5 })
      const dying = yield* Effect.forkChild(deathOf(remove))
      yield* eventually(
        Effect.andThen(TestClock.adjust("10 millis"), Effect.sync(() => dying.pollUnsafe())),
        (exit) => exit !== undefined
      )
      assert.strictEqual(yield* Fiber.join(dying), "S3Failed: S3 did not answer DELETE: ECONNREFUSED")
    }))
})
