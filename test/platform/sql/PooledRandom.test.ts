import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { PooledRandomLayer } from "../../../src/platform/sql/PooledRandom.ts"

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
