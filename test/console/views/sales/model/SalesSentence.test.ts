import { assert, describe, it } from "@effect/vitest"
import { addressState, periodNamed, troublesOf } from "../../../../../src/console/views/sales/model/SalesSentence.ts"

const taking = { enabled: true, secret_set: true, token_only: false }

describe("An address of a sales platform", () => {
  it("takes in what is signed, and everything only where that was said", () => {
    assert.strictEqual(addressState(taking), "taking")
    assert.strictEqual(addressState({ ...taking, token_only: true }), "taking")
    assert.strictEqual(addressState({ ...taking, secret_set: false, token_only: true }), "open")
    assert.strictEqual(addressState({ ...taking, secret_set: false }), "refusing")
  })

  it("is off whatever else it is", () => {
    assert.strictEqual(addressState({ enabled: false, secret_set: false, token_only: true }), "off")
  })
})

describe("A period in the address", () => {
  it("is one of those there are, whatever else an object answers to", () => {
    assert.strictEqual(periodNamed("24h"), 86_400_000)
    for (const name of ["", "1h", "constructor", "toString", "__proto__"]) assert.isUndefined(periodNamed(name))
  })
})

describe("Sales", () => {
  it("are all right where everything is taken in", () => {
    assert.deepStrictEqual(troublesOf({ addresses: [taking], waiting: [], failed: 0 }), [])
  })

  it("are not where no platform is connected", () => {
    assert.deepStrictEqual(troublesOf({ addresses: [], waiting: [], failed: 0 }), [{ kind: "unconnected" }])
  })

  it("tell what failed before what waits, with all of its products, and what is refused", () => {
    const refusing = { ...taking, secret_set: false }
    assert.deepStrictEqual(
      troublesOf({ addresses: [taking, refusing], waiting: [{ events: 2 }, { events: 3 }], failed: 1 }),
      [{ kind: "failed", count: 1 }, { kind: "waiting", count: 5 }, { kind: "refusing", count: 1 }]
    )
  })
})
