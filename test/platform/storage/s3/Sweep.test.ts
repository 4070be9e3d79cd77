import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Storage } from "../../../../src/platform/storage/Storage.ts"
import { BucketLayer, S3 } from "../Drivers.ts"

const hour = 3_600_000

layer(BucketLayer)("A sweep of a bucket", (it) => {
  it.effect("finds nothing where nothing was ever uploaded", () =>
    Effect.gen(function*() {
      const s3 = yield* S3
      yield* Effect.flatMap(Storage, ({ sweep }) => sweep)
      assert.deepStrictEqual(s3.list(), [])
    }))

  it.effect("deletes uploads that are a day old, on whatever page of the list, and nothing else", () =>
    Effect.gen(function*() {
      const s3 = yield* S3
      const now = 48 * hour
      yield* TestClock.setTime(now)
      const put = (key: string, age: number) =>
        s3.objects.set(key, { body: Buffer.from("x"), type: "text/plain", etag: "\"1\"", modified: now - age })
      for (const name of ["a.1", "a.2", "a.3", "b.1", "c.1"]) put(`club-files/uploads/${name}`, 24 * hour)
      put("club-files/uploads/b.2", 24 * hour - 1000)
      put("club-files/uploads/Not & ours", 40 * hour)
      put("club-files/kept/a/1", 40 * hour)
      put("uploads/a.1", 40 * hour)
      yield* Effect.flatMap(Storage, ({ sweep }) => sweep)
      assert.deepStrictEqual(s3.list(), ["kept/a/1", "uploads/Not & ours", "uploads/a.1", "uploads/b.2"])
      assert.isTrue(s3.objects.has("uploads/a.1"))
      assert.isFalse(s3.objects.has("club-files/uploads/a.1"))
    }))
})
