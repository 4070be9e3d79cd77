import { assert, describe, it } from "@effect/vitest"
import { idIn } from "../../../../../src/console/club/Ids.ts"
import { stateOf } from "../../../../../src/console/views/webhooks/model/DeliveryState.ts"
import {
  lateOf,
  leavesGap,
  newerThan,
  newestOf,
  pruned,
  rowAt,
  withRead
} from "../../../../../src/console/views/webhooks/model/LiveRows.ts"

const read = [{ id: "c", status: "pending" }, { id: "b", status: "pending" }, { id: "a", status: "pending" }]
const received =
  new Map([{ id: "b", status: "succeeded" }, { id: "e", status: "pending" }, { id: "d", status: "failed" }].map((
    one
  ) => [
    one.id,
    one
  ]))

describe("A list that was read, and what was told of it since", () => {
  it("shows what is newer first, and what changed in its place", () => {
    const newer = newerThan(received, "c")
    const rows = [0, 1, 2, 3, 4, 5].map((row) => rowAt(newer, (at) => read[at], received, row))
    assert.deepStrictEqual(rows.map((row) => row?.id), ["e", "d", "c", "b", "a", undefined])
    assert.strictEqual(rows[3]?.status, "succeeded")
    assert.strictEqual(rows[4]?.status, "pending")
  })

  it("holds everything to be new for an empty list, and nothing before it was read", () => {
    assert.deepStrictEqual(newerThan(received, "").map(({ id }) => id), ["e", "d", "b"])
    assert.deepStrictEqual(newerThan(received, undefined), [])
  })
})

const ofIds = (...ids: ReadonlyArray<string>) => ids.map((id) => ({ id }))
const toldIds = (...ids: ReadonlyArray<string>) => new Map(ofIds(...ids).map((one) => [one.id, one]))
const first = withRead(undefined, { data: ofIds("m", "k", "h"), next_cursor: "more" })
const whole = withRead(first, { data: ofIds("f", "d"), next_cursor: null })

describe("The changes of a list", () => {
  it("leaves a gap where as many as are told at most are all newer than what is known", () => {
    assert.isTrue(leavesGap(ofIds("p", "q"), "m", 2))
    assert.isFalse(leavesGap(ofIds("p"), "m", 2))
    assert.isFalse(leavesGap(ofIds("m", "p"), "m", 2))
    assert.isFalse(leavesGap(ofIds("p", "q"), undefined, 2))
  })

  it("leaves no gap after what was told before", () => {
    assert.strictEqual(newestOf(toldIds("p", "n"), first), "p")
    assert.strictEqual(newestOf(toldIds("a"), first), "m")
    assert.isUndefined(newestOf(toldIds("p"), undefined))
  })

  it("is late where it belongs among what was read, and was not there", () => {
    const late = (listed: typeof first, ...ids: ReadonlyArray<string>) =>
      lateOf(toldIds(...ids), listed, ({ id }) => id !== "l").map(({ id }) => id)
    assert.deepStrictEqual(late(first, "z", "m", "l", "i", "h", "a"), ["i"])
    assert.deepStrictEqual(late(whole, "g", "f", "a"), ["g", "a"])
    assert.deepStrictEqual(lateOf(toldIds("i"), undefined, () => true), [])
  })

  it("is dropped when it is too much, what is not shown first, the oldest of it", () => {
    const left = (most: number) => [...pruned(toldIds("a", "s", "r", "q", "m"), "m", most).keys()]
    assert.deepStrictEqual(left(5), ["a", "s", "r", "q", "m"])
    assert.deepStrictEqual(left(3), ["a", "s", "m"])
    assert.deepStrictEqual(left(1), ["a", "m"])
  })

  it("of an empty list is all newer", () => {
    const empty = withRead(undefined, { data: ofIds(), next_cursor: null })
    assert.deepStrictEqual(newerThan(toldIds("a"), empty.newest).map(({ id }) => id), ["a"])
    assert.deepStrictEqual(lateOf(toldIds("a"), empty, () => true), [])
  })
})

describe("The state of a delivery", () => {
  const delivery = {
    attempts_count: 1,
    cancel_reason: null,
    next_attempt_at: null,
    payload_purged: false,
    status: "failed"
  } as const

  it.each([
    { attempts_count: 2 },
    { cancel_reason: "student_removed" },
    { next_attempt_at: "2026-08-14T12:00:00.000Z" },
    { payload_purged: true },
    { status: "succeeded" }
  ] as const)("is another with %j", (change) => {
    assert.notStrictEqual(stateOf({ ...delivery, ...change }), stateOf(delivery))
  })

  it("is the same where nothing of it has changed", () => {
    assert.strictEqual(stateOf({ ...delivery }), stateOf(delivery))
  })
})

describe("What somebody looks for", () => {
  it.each([
    ["019D4860-d9c0-7f21-8b6c-0d1e2f3a4b5c"],
    ["webhook-id: 019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c"],
    [`{"id":"019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c","type":"student.created"}`]
  ])("is found in %s", (text) => {
    assert.strictEqual(idIn(text), "019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c")
  })

  it("is nothing where there is no id", () => {
    assert.isUndefined(idIn("student.created"))
  })
})
