import { assert, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { PooledRandomLayer } from "../../../src/platform/sql/PooledRandom.ts"
import { timeOf } from "../../../src/platform/sql/Uuid7.ts"

const drawn = (size: number) => Effect.flatMap(SecureRandom.SecureRandom, (random) => random.randomBytes(size))

it.effect("gives fresh bytes of every size, and none twice", () =>
  Effect.gen(function*() {
    const sizes = [1, 16, 4095, 4096, 5000, 16, 16]
    const draws = yield* Effect.forEach(sizes, drawn)
    assert.deepStrictEqual(draws.map(({ length }) => length), sizes)
    const many = yield* Effect.forEach(Array.from({ length: 2000 }, () => 16), drawn)
    assert.strictEqual(new Set(many.map((bytes) => bytes.join())).size, 2000)
    assert.isTrue(many.every(({ buffer }) => buffer.byteLength === 16))
  }).pipe(Effect.provide(PooledRandomLayer)))

it.effect("makes UUIDv7s in order", () =>
  Effect.gen(function*() {
    const { uuidV7 } = yield* SecureRandom.SecureRandom
    const ids = yield* Effect.forEach(Array.from({ length: 1000 }), () => uuidV7())
    assert.deepStrictEqual(ids.toSorted(), ids)
    assert.strictEqual(new Set(ids).size, 1000)
  }).pipe(Effect.provide(PooledRandomLayer)))

const noon = Date.UTC(2026, 10, 27, 12)

it.effect("makes UUIDv7s of the time that a clock has that was set back, in order again", () =>
  Effect.gen(function*() {
    const { uuidV7 } = yield* SecureRandom.SecureRandom
    const made = Effect.fnUntraced(function*(at: number) {
      yield* TestClock.setTime(at)
      return yield* Effect.forEach(Array.from({ length: 100 }), () => uuidV7())
    })
    const times = (ids: ReadonlyArray<string>) => [...new Set(ids.map((id) => DateTime.toEpochMillis(timeOf(id))))]
    const ahead = yield* made(noon + 40 * 24 * 3_600_000)
    const after = yield* made(noon)
    const later = yield* made(noon + 5)
    assert.deepStrictEqual([times(ahead), times(after), times(later)], [
      [noon + 40 * 24 * 3_600_000],
      [noon],
      [noon + 5]
    ])
    assert.deepStrictEqual([...after, ...later].toSorted(), [...after, ...later])
    assert.strictEqual(new Set([...ahead, ...after, ...later]).size, 300)
    const bytes = yield* uuidV7({ format: "bytes" })
    assert.strictEqual(bytes.length, 16)
  }).pipe(Effect.provide(PooledRandomLayer)))

it.effect("keeps UUIDv7s in order while a clock is trimmed", () =>
  Effect.gen(function*() {
    const { uuidV7 } = yield* SecureRandom.SecureRandom
    const ids = yield* Effect.forEach([0, 10, -500, -989, 20], (by) =>
      Effect.andThen(TestClock.setTime(noon + by), uuidV7()))
    assert.deepStrictEqual(ids.toSorted(), ids)
  }).pipe(Effect.provide(PooledRandomLayer)))
