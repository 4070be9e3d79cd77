import { assert, layer } from "@effect/vitest"
import { Effect, Option, Redacted, Stream } from "effect"
import { Storage, StorageKey } from "../../../../src/platform/storage/Storage.ts"
import { refusal } from "../../../harness/S3Answers.ts"
import { HastyBucketLayer, S3 } from "../Drivers.ts"

const put = (url: Redacted.Redacted, headers: Readonly<Record<string, string>>, body: string) =>
  Effect.promise(() => fetch(Redacted.value(url), { method: "PUT", headers, body }).then(({ status }) => status))

/** The upload of a file of five bytes. */
const begun = Effect.fnUntraced(function*(name: string) {
  const storage = yield* Storage
  const key = StorageKey.make(`club/${name}`)
  const { headers, url } = yield* storage.upload({ key, mime: "text/plain", size_bytes: 5 })
  return { key, send: (body: string) => put(url, headers, body) }
})

const kept = Effect.fnUntraced(function*(key: StorageKey) {
  const storage = yield* Storage
  return Buffer.concat(yield* Stream.runCollect(storage.read(key))).toString()
})

layer(HastyBucketLayer)("An upload into a bucket", (it) => {
  it.effect("is taken once: another one is refused while it is there", () =>
    Effect.gen(function*() {
      const s3 = yield* S3
      const { key, send } = yield* begun("taken")
      assert.deepStrictEqual([yield* send("first"), yield* send("other")], [200, 412])
      assert.strictEqual(s3.contentOf("uploads/club.taken"), "first")
      assert.strictEqual((yield* Effect.flatMap(Storage, ({ settle }) => settle(key)))._tag, "Some")
    }))

  it.effect("is bound to its type, its length and to being the first", () =>
    Effect.gen(function*() {
      const storage = yield* Storage
      const { expires_at, headers, method, url } = yield* storage.upload({
        key: StorageKey.make("club/bound"),
        mime: "image/png",
        size_bytes: 7
      })
      assert.deepStrictEqual([method, headers], ["PUT", { "content-type": "image/png", "if-none-match": "*" }])
      const { searchParams } = new URL(Redacted.value(url))
      assert.strictEqual(
        searchParams.get("X-Amz-SignedHeaders"),
        "content-length;content-type;host;if-none-match"
      )
      assert.deepStrictEqual([searchParams.get("X-Amz-Expires"), expires_at.epochMilliseconds], ["900", 900_000])
    }))

  // Before each step of this settlement, another settlement runs, and then another upload comes.
  it.effect.each([0, 1, 2, 3].map((step) => [step] as const))(
    "is settled once, whatever comes between, before step %i",
    ([step]) =>
      Effect.gen(function*() {
        const s3 = yield* S3
        const storage = yield* Storage
        const { key, send } = yield* begun(`between-${step}`)
        yield* send("first")
        const context = yield* Effect.context<never>()
        let count = 0
        let between: ReadonlyArray<unknown> = []
        s3.before(({ request }) => {
          // Requests of the interruption come through here too.
          if (request.headers["user-agent"] === "node" || count++ !== step) return undefined
          return Effect.runPromiseWith(context)(Effect.gen(function*() {
            const settled = yield* storage.settle(key)
            between = [settled, yield* send("other")]
            return undefined
          }))
        })
        assert.deepStrictEqual(yield* storage.settle(key), Option.some(5))
        s3.before(() => undefined)
        assert.isAtLeast(count, step + 1)
        assert.strictEqual(yield* kept(key), "first")
        // The later upload never settles.
        assert.deepStrictEqual(yield* storage.settle(key), Option.some(5))
        assert.deepStrictEqual([between, yield* kept(key)], [[Option.some(5), 200], "first"])
        assert.notInclude(s3.list(), `uploads/club.between-${step}`)
      })
  )

  it.effect("that is replaced while it is looked at is settled as what it is now", () =>
    Effect.gen(function*() {
      const s3 = yield* S3
      const storage = yield* Storage
      const { key, send } = yield* begun("replaced")
      yield* send("first")
      let isReplaced = false
      s3.before(async ({ request }) => {
        if (request.headers["x-amz-copy-source"] === undefined || isReplaced) return undefined
        isReplaced = true
        s3.objects.delete("club-files/uploads/club.replaced")
        await Effect.runPromise(send("other"))
        return undefined
      })
      assert.deepStrictEqual(yield* storage.settle(key), Option.some(5))
      s3.before(() => undefined)
      assert.deepStrictEqual([isReplaced, yield* kept(key)], [true, "other"])
    }))

  it.effect("whose copy fails after S3 has said 200 is copied again", () =>
    Effect.gen(function*() {
      const s3 = yield* S3
      const storage = yield* Storage
      const { key, send } = yield* begun("late")
      yield* send("first")
      let count = 0
      s3.before(({ request }) =>
        request.headers["x-amz-copy-source"] === undefined || count++ > 0
          ? undefined
          : { ...refusal(500, "InternalError"), status: 200 }
      )
      assert.deepStrictEqual(yield* storage.settle(key), Option.some(5))
      s3.before(() => undefined)
      assert.deepStrictEqual([count, yield* kept(key)], [2, "first"])
    }))

  it.effect("that was copied by a process that died then is settled, and nothing of it is left", () =>
    Effect.gen(function*() {
      const s3 = yield* S3
      const storage = yield* Storage
      const { key, send } = yield* begun("died")
      yield* send("first")
      yield* storage.settle(key)
      yield* send("first")
      assert.include(s3.list(), "uploads/club.died")
      assert.deepStrictEqual(yield* storage.settle(key), Option.some(5))
      assert.notInclude(s3.list(), "uploads/club.died")
    }))
})
