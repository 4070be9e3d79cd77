import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { ClubId } from "../../../../src/identity/ids/ClubId.ts"
import { AttemptCapacity } from "../../../../src/webhooks/engine/dispatch/AttemptCapacity.ts"
import { LaneProgress } from "../../../../src/webhooks/engine/dispatch/LaneProgress.ts"
import { WebhookDeliveryId } from "../../../../src/webhooks/model/WebhookDeliveryId.ts"

const club = (n: number) => ClubId.make(`00000000-0000-7000-8000-${`${n}`.padStart(12, "0")}`)

const delivery = (n: number) => WebhookDeliveryId.make(`00000000-0000-7000-9000-${`${n}`.padStart(12, "0")}`)

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const Step = Schema.Struct({ club: between(1, 5), wanted: between(0, 40), gives: Schema.Boolean })
const Concurrency = between(1, 300)

describe("the slots of a process", () => {
  it("are half for lanes and half a pool", () => {
    assert.strictEqual(new AttemptCapacity(256).lanes, 128)
    assert.strictEqual(new AttemptCapacity(1).lanes, 1)
  })

  it("leave room for others however much one club asks for", () => {
    const capacity = new AttemptCapacity(256)
    let hogged = 0
    for (let turn = 0; turn < 100; turn += 1) hogged += capacity.reserve(club(1), 16)
    assert.strictEqual(hogged, 64)
    assert.strictEqual(capacity.reserve(club(2), 16), 16)
  })

  it.prop(
    "never exceed the pool, and are all there again once given back",
    { steps: Schema.Array(Step).check(Schema.isMaxLength(200)), concurrency: Concurrency },
    ({ concurrency, steps }) => {
      const capacity = new AttemptCapacity(concurrency)
      const used = new Map<number, number>()
      for (const { club: n, gives, wanted } of steps) {
        const mine = used.get(n) ?? 0
        const granted = gives ? 0 : capacity.reserve(club(n), wanted)
        if (gives) capacity.release(club(n), mine)
        used.set(n, gives ? 0 : mine + granted)
        assert.isTrue(granted >= 0 && granted <= wanted)
        const total = [...used.values()].reduce((sum, count) => sum + count, 0)
        assert.isAtMost(total + capacity.lanes, Math.max(1, concurrency))
      }
      for (const [n, count] of used) capacity.release(club(n), count)
      assert.strictEqual(capacity.reserve(club(9), 1000), new AttemptCapacity(concurrency).reserve(club(9), 1000))
    }
  )

  it("are given back with the end of each post that used one, and all when a lane is cut off", () => {
    const capacity = new AttemptCapacity(16)
    const free = () => {
      const granted = capacity.reserve(club(9), 1000)
      capacity.release(club(9), granted)
      return granted
    }
    const atFirst = free()
    const progress = new LaneProgress(club(1), capacity)
    const begin = () => {
      const ids = Array.from({ length: progress.reserve(5) }, (_, index) => delivery(index))
      for (const id of ids) progress.started(id)
      return ids.length
    }
    assert.strictEqual(begin(), 5)
    assert.isBelow(free(), atFirst)
    for (let post = 0; post < 4; post += 1) progress.ended()
    assert.strictEqual(free(), atFirst)
    progress.ended()
    assert.strictEqual(begin(), 5)
    progress.cutOff()
    assert.strictEqual(free(), atFirst)
  })
})
