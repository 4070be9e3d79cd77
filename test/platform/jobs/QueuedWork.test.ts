import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { CurrentWork, newIdOf, QueuedWork } from "../../../src/platform/jobs/QueuedWork.ts"
import { timeOf } from "../../../src/platform/sql/Uuid7.ts"

const Rank = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4095 }))

/** The values from which an id follows. */
const Part = Schema.Struct({
  work: Schema.String,
  millis: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 45 })),
  kind: Schema.String,
  name: Schema.String
})

const workOf = ({ millis, work }: typeof Part.Type) => new QueuedWork(work, DateTime.makeUnsafe(millis))

const idOf = (part: typeof Part.Type, rank?: number) => workOf(part).idOf(part.kind, part.name, rank)

describe("The ids of what is made of work that waits", () => {
  it.prop(
    "are UUIDv7s of the moment since when it waits, and the same whenever it is done",
    { part: Part, rank: Schema.UndefinedOr(Rank) },
    ({ part, rank }) => {
      const id = idOf(part, rank)
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.strictEqual(DateTime.toEpochMillis(timeOf(id)), part.millis)
      assert.strictEqual(idOf(part, rank), id)
    }
  )

  it.prop(
    "are others for other work, another moment, kind or name, and where one is asked for again",
    { part: Part, other: Part },
    ({ other, part }) => {
      const ids = (["work", "millis", "kind", "name"] as const).flatMap((field) =>
        part[field] === other[field] ? [] : [idOf({ ...part, [field]: other[field] })]
      )
      const work = workOf(part)
      const again = Array.from({ length: 3 }, () => work.idOf(part.kind, part.name))
      assert.strictEqual(new Set([...ids, ...again]).size, ids.length + 3)
    }
  )

  it("are others where two names are one text together", () => {
    const part = { work: "a", millis: 0, kind: "a", name: "b c" }
    assert.notStrictEqual(idOf(part), idOf({ ...part, kind: "a b", name: "c" }))
    const work = workOf(part)
    const [, second] = [work.idOf("a", "b"), work.idOf("a", "b")]
    assert.notStrictEqual(second, work.idOf("a", "b 1"))
  })

  it.prop("sort by their rank", { part: Part, one: Rank, other: Rank }, ({ one, other, part }) => {
    assert.strictEqual(idOf(part, one) < idOf(part, other), one < other)
  })

  it("are those that they were in 0.3.0, since they are in backups", () => {
    const work = new QueuedWork(
      "inbound 01a21c28-8a30-7050-a1cc-90ba65af1d3f",
      DateTime.makeUnsafe("2026-11-27T03:00:00Z")
    )
    const ids = [work.idOf("purchase", "HP1"), work.idOf("purchase", "HP1"), work.idOf("purchase.paid", "a b", 9)]
    assert.deepStrictEqual(ids, [
      "01a21af2-0b80-7097-b8fb-27f268ba431c",
      "01a21af2-0b80-759f-b149-700631c2decb",
      "01a21af2-0b80-7009-88aa-e17ad05521e3"
    ])
  })

  it.effect("are by chance where it has waited for longer than three days, or than is said", () =>
    Effect.gen(function*() {
      const random = yield* SecureRandom.SecureRandom
      const idAfter = (wait: Duration.Input, longest?: Duration.Duration) =>
        Effect.gen(function*() {
          const work = new QueuedWork(
            "a",
            DateTime.subtractDuration(yield* DateTime.now, Duration.fromInputUnsafe(wait))
          )
          const id = yield* newIdOf(random, { kind: "k", name: "n", work, ...(longest !== undefined && { longest }) })
          return id === new QueuedWork("a", work.at).idOf("k", "n")
        })
      yield* TestClock.adjust("30 days")
      assert.isTrue(yield* idAfter("3 days"))
      assert.isFalse(yield* idAfter("73 hours"))
      assert.isFalse(yield* idAfter("2 hours", Duration.hours(1)))
    }).pipe(Effect.provide(SecureRandom.layerWebCrypto)))

  it.effect("are of the work that is named, else of the fiber's, else of chance", () =>
    Effect.gen(function*() {
      const random = yield* SecureRandom.SecureRandom
      const about = { kind: "k", name: "n" }
      const [named, own] = [1, 2].map((millis) => new QueuedWork("a", DateTime.makeUnsafe(millis)))
      const madeAt = (work?: QueuedWork) =>
        Effect.map(newIdOf(random, { ...about, work }), (id) => DateTime.toEpochMillis(timeOf(id)))
      assert.strictEqual(yield* madeAt(named), 1)
      assert.strictEqual(yield* Effect.provideService(madeAt(), CurrentWork, own), 2)
      assert.strictEqual(yield* Effect.provideService(madeAt(named), CurrentWork, own), 1)
      assert.notStrictEqual(yield* newIdOf(random, about), yield* newIdOf(random, about))
    }).pipe(Effect.provide(SecureRandom.layerWebCrypto)))
})
