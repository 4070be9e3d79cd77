import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { NetAddress } from "effect/net"
import { ClubId } from "../../../src/identity/ids/ClubId.ts"
import { TargetRoom, Targets, targetsOf } from "../../../src/webhooks/send/Targets.ts"

const club = (n: number) => ClubId.make(`00000000-0000-7000-8000-${`${n}`.padStart(12, "0")}`)
const [one, other] = ["192.0.2.1", "192.0.2.2"]

const takeAll = (targets: Targets, address: string, by: number) => {
  let count = 0
  while (targets.take(address, club(by))) count++
  return count
}

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const Step = Schema.Struct({ club: between(1, 5), takes: Schema.Boolean })

describe("The attempts in flight to one address", () => {
  it("are shared by clubs, of which none has more than what is left", () => {
    const targets = new Targets(64, () => 0)
    assert.deepStrictEqual([1, 2, 3, 4, 5, 6, 7, 8].map((by) => takeAll(targets, one, by)), [32, 16, 8, 4, 2, 1, 1, 0])
    assert.strictEqual(targets.room(other, club(8)), 32)
  })

  it("leave room again when they end, for each club as much as it had", () => {
    const targets = new Targets(4, () => 0)
    assert.strictEqual(takeAll(targets, one, 1), 2)
    for (let i = 0; i < 2; i++) targets.release(one, club(1))
    assert.strictEqual(takeAll(targets, one, 1), 2)
  })

  it("are waited for in turn, the club that has fewest first", () => {
    const targets = new Targets(4, () => 0)
    for (const by of [1, 1, 2, 3]) assert.isTrue(targets.take(one, club(by)))
    const told: Array<number> = []
    const waiting = [1, 4, 5].map((by) => () => void told.push(by))
    for (const [index, by] of [1, 4, 5].entries()) targets.wait(one, club(by), waiting[index] ?? assert.fail())
    targets.release(one, club(3))
    assert.deepStrictEqual(told, [4])
    assert.isTrue(targets.take(one, club(4)))
    const [, , fifth = assert.fail()] = waiting
    targets.leave(one, fifth)
    for (const by of [4, 2]) targets.release(one, club(by))
    assert.deepStrictEqual(told, [4])
    for (let i = 0; i < 2; i++) targets.release(one, club(1))
    assert.deepStrictEqual(told, [4, 1])
  })

  it("that ended leave their room for a second to the club that was told of it", () => {
    let now = 0
    const targets = new Targets(4, () => now)
    for (const by of [1, 1, 2, 3]) assert.isTrue(targets.take(one, club(by)))
    targets.wait(one, club(4), () => undefined)
    targets.release(one, club(3))
    assert.isFalse(targets.take(one, club(5)))
    assert.isTrue(targets.take(one, club(4)))
    targets.wait(one, club(6), () => undefined)
    targets.release(one, club(2))
    assert.isFalse(targets.take(one, club(5)))
    now = 1_000
    assert.isTrue(targets.take(one, club(5)))
  })

  it("stay where they are counted while they are sent once more to the same address, whoever waits", () => {
    const targets = new Targets(1, () => 0)
    const room = new TargetRoom(targets, club(1))
    let told = 0
    assert.deepStrictEqual(room.take([one]), [one])
    targets.wait(one, club(2), () => void (told += 1))
    assert.deepStrictEqual([room.take([one]), told], [[one], 0])
    assert.deepStrictEqual([room.take([other]), told], [[other], 1])
    assert.isTrue(targets.take(one, club(2)))
  })

  it("are counted at one IPv4 address, and in one network of IPv6", () => {
    const addresses = ["192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"]
    assert.deepStrictEqual(targetsOf(addresses.map((text) => NetAddress.ipFromInputUnsafe(text))), [
      "192.0.2.1",
      "192.0.2.2",
      "2001:db8::/64",
      "2001:db8:0:1::/64"
    ])
  })

  it.prop(
    "are never more than there may be, and none is lost",
    { most: between(1, 20), steps: Schema.Array(Step) },
    ({ most, steps }) => {
      const targets = new Targets(most, () => 0)
      const held: Array<number> = []
      for (const step of steps) {
        const before = held.length
        if (step.takes && targets.take(one, club(step.club))) held.push(step.club)
        const at = held.indexOf(step.club)
        if (!step.takes && at !== -1) {
          held.splice(at, 1)
          targets.release(one, club(step.club))
        }
        if (held.length > most || (step.takes && held.length === before && targets.room(one, club(step.club)) > 0)) {
          return false
        }
      }
      for (const by of held) targets.release(one, club(by))
      return takeAll(targets, one, 1) === Math.ceil(most / 2)
    }
  )
})
