import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { dayOf, startOfDay } from "../../../src/browser/client/Time.ts"
import {
  attemptsOf,
  countIn,
  endpointsOf,
  usedUp,
  wanting,
  weightOf,
  weightOfAttempts
} from "../../../src/console/views/home/Morning.ts"
import { keyAreas, networksIn, reachesOf, scopesOf } from "../../../src/console/views/keys/KeyRules.ts"
import { filterIn } from "../../../src/console/views/settings/auditFilter.ts"
import { features, Scope } from "../../../src/identity/people/Scope.ts"

const endpoint = { status: "enabled", disabled_reason: null, hold_until: null, consecutive_failures: 0 } as const
const metered = {
  name: "Students",
  kind: "metered",
  granted: true,
  unlimited: false,
  allowance: 100,
  balance: 50,
  bills: false
} as const

describe("The overview", () => {
  it("counts each endpoint once, by what is worst about it", () => {
    const counted = endpointsOf([
      endpoint,
      { ...endpoint, consecutive_failures: 3 },
      { ...endpoint, consecutive_failures: 3, hold_until: "2027-01-01T00:00:00Z" },
      { ...endpoint, status: "paused", consecutive_failures: 3 },
      { ...endpoint, status: "disabled", disabled_reason: "failing", hold_until: "2027-01-01T00:00:00Z" },
      { ...endpoint, status: "disabled", disabled_reason: "manual" }
    ])
    assert.deepStrictEqual(counted, { stopped: 1, held: 1, failing: 1, paused: 2, well: 1 })
  })

  it("calls for somebody where webhooks do not arrive, and for nobody where there are none", () => {
    const none = { stopped: 0, held: 0, failing: 0, paused: 0, well: 0 }
    assert.strictEqual(weightOf(none), "quiet")
    assert.strictEqual(weightOf({ ...none, well: 2 }), "good")
    assert.strictEqual(weightOf({ ...none, well: 2, paused: 1 }), "good")
    assert.strictEqual(weightOf({ ...none, paused: 1 }), "waiting")
    assert.strictEqual(weightOf({ ...none, well: 2, failing: 1 }), "waiting")
    assert.strictEqual(weightOf({ ...none, well: 2, held: 1 }), "bad")
    assert.strictEqual(weightOf({ ...none, stopped: 1 }), "bad")
    assert.strictEqual(wanting([{ weight: "bad" }, { weight: "waiting" }, { weight: "good" }, { weight: "quiet" }]), 2)
  })

  it("calls for somebody where more than one attempt of twenty failed", () => {
    const series = [
      { points: [{ succeeded: 10, failed: 1 }, { succeeded: 9, failed: 0 }] },
      { points: [] },
      { points: [{ succeeded: 0, failed: 0 }] }
    ]
    assert.deepStrictEqual(attemptsOf(series), { failed: 1, all: 20 })
    assert.strictEqual(weightOfAttempts({ failed: 1, all: 20 }), "good")
    assert.strictEqual(weightOfAttempts({ failed: 2, all: 20 }), "waiting")
    assert.strictEqual(weightOfAttempts({ failed: 0, all: 0 }), "quiet")
  })

  it("says that there are more only where all of the first page are so and another follows", () => {
    const page = { data: [1, 2, 3], next_cursor: "x" }
    assert.deepStrictEqual(countIn(page), { count: 3, isMore: true })
    assert.deepStrictEqual(countIn(page, (one) => one > 1), { count: 2, isMore: false })
    assert.deepStrictEqual(countIn({ data: [1], next_cursor: null }), { count: 1, isMore: false })
    assert.deepStrictEqual(countIn({ data: [] }), { count: 0, isMore: false })
  })

  it("names what of a plan is refused or soon will be, and nothing that is billed, unlimited or not there", () => {
    const resources = [
      metered,
      { ...metered, name: "Over", balance: 0 },
      { ...metered, name: "Near", balance: 20 },
      { ...metered, name: "Not near", balance: 21 },
      { ...metered, name: "Billed", balance: -5, bills: true },
      { ...metered, name: "Unlimited", unlimited: true, allowance: 0, balance: 0 },
      { ...metered, name: "Missing", granted: false, allowance: 0, balance: 0 },
      { ...metered, name: "Flag", kind: "flag", allowance: 0, balance: 0 } as const
    ]
    assert.deepStrictEqual(usedUp(resources), { over: ["Over"], near: ["Near"] })
  })
})

describe("A key's areas", () => {
  it("are those of the contract", () => {
    assert.deepStrictEqual([...keyAreas], [...features])
  })

  it.prop("are the scopes that were chosen, there and back", [Schema.Array(Scope)], ([scopes]) => {
    const reaches = new Map<string, string>(reachesOf(scopes))
    const again = scopesOf((area) => reaches.get(area) ?? "")
    assert.deepStrictEqual(reachesOf(again), reachesOf(scopes))
    for (const scope of again) assert.include(scopes, scope)
    for (const scope of scopes) {
      const [area = ""] = scope.split(":")
      assert.isTrue(reaches.get(area) === "write" || scope.endsWith(":read"))
    }
  })

  it("and networks are read one a line, with commas or with spaces", () => {
    assert.deepStrictEqual(networksIn(" 10.0.0.0/8\n\n2001:db8::/32, 192.0.2.0/24 "), [
      "10.0.0.0/8",
      "2001:db8::/32",
      "192.0.2.0/24"
    ])
    assert.deepStrictEqual(networksIn(" \n"), [])
  })
})

describe("The filters of the audit log", () => {
  const read = (text: string) => filterIn(new URLSearchParams(text))

  it("are those of the address that the route takes", () => {
    assert.deepStrictEqual(read("person=u&operation=students.update&outcome=refused&x=1"), {
      user_id: "u",
      operation: "students.update",
      outcome: "refused"
    })
    assert.deepStrictEqual(read("person=&operation=students&outcome=maybe&since=yesterday&until=2026-1-1"), {})
  })

  it("take both days whole, where the reader is", () => {
    const { since = "", until = "" } = read("since=2026-03-01&until=2026-03-31")
    assert.strictEqual(dayOf(since), "2026-03-01")
    assert.strictEqual(dayOf(until), "2026-04-01")
    assert.strictEqual(since, startOfDay("2026-03-01"))
    assert.isUndefined(startOfDay(""))
  })
})
