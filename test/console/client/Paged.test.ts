import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  itemAt,
  mostPages,
  type Page,
  type Paged,
  rowsOf,
  unread,
  wantedPages,
  withItem,
  withPage
} from "../../../src/console/client/Paged.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const size = 10

/** A list of the API with this many items, whose cursors say where a page begins. */
const pageOf = (length: number, cursor: string | undefined): Page<number> => {
  const from = Number(cursor ?? 0)
  const to = Math.min(length, from + size)
  return {
    data: Array.from({ length: to - from }, (_, index) => from + index),
    next_cursor: to < length ? String(to) : null
  }
}

/** Reads what is wanted for these rows until nothing more is. */
const lookedAt = (length: number, paged: Paged<number>, from: number, to: number): Paged<number> => {
  let known = paged
  for (let tries = 0; tries < 200; tries++) {
    const wanted = wantedPages(known, from, to)
    if (wanted.length === 0) return known
    for (const number of wanted) known = withPage(known, number, pageOf(length, known.cursors[number]))
  }
  throw new Error("It never has enough")
}

describe("A long list", () => {
  it("is nothing before it was read, and wants its first page", () => {
    assert.strictEqual(rowsOf(unread(size)), 0)
    assert.deepStrictEqual(wantedPages(unread(size), 0, 1), [0])
    assert.isUndefined(itemAt(unread<number>(size), 0))
  })

  it.prop("shows each item in its row, wherever somebody looks", [
    between(0, 400),
    Schema.Array(between(0, 450)).check(Schema.isMaxLength(8))
  ], ([length, looks]) => {
    let paged = lookedAt(length, unread<number>(size), 0, 1)
    for (const at of looks) {
      const from = Math.min(at, Math.max(0, rowsOf(paged) - 1))
      const to = Math.min(from + 30, Math.max(1, rowsOf(paged)))
      paged = lookedAt(length, paged, from, to)
      for (let row = from; row < Math.min(to, rowsOf(paged)); row++) {
        const item = itemAt(paged, row)
        assert.isTrue(item === row || item === undefined && row >= (paged.cursors.length - 1) * size, `row ${row}`)
      }
      assert.isAtMost(paged.pages.size, mostPages)
      assert.isAtMost(rowsOf(paged), length + 1)
    }
  })

  it.prop("knows how long it is once its end was seen, and never forgets", [between(0, 300)], ([length]) => {
    let paged = lookedAt(length, unread<number>(size), 0, 1)
    while (paged.total === undefined) paged = lookedAt(length, paged, rowsOf(paged) - 1, rowsOf(paged))
    assert.strictEqual(rowsOf(paged), length)
    const back = lookedAt(length, paged, 0, 1)
    assert.strictEqual(rowsOf(back), length)
    if (length > 0) assert.strictEqual(itemAt(back, 0), 0)
  })

  it("gives up the pages that were used longest ago, and reads them again when they are looked at", () => {
    const length = size * (mostPages + 5)
    let paged = unread<number>(size)
    for (let row = 0; row < length; row += size) paged = lookedAt(length, paged, row, row + 1)
    assert.strictEqual(paged.pages.size, mostPages)
    assert.isUndefined(itemAt(paged, 0))
    assert.deepStrictEqual(wantedPages(paged, 0, 5), [0])
    assert.strictEqual(itemAt(lookedAt(length, paged, 0, 5), 4), 4)
  })

  it("shows a changed item in place of the old one, and nothing else anew", () => {
    const paged = lookedAt(25, unread<number>(size), 0, 25)
    const next = withItem(paged, -3, (known) => known === 3)
    assert.strictEqual(itemAt(next, 3), -3)
    assert.strictEqual(itemAt(next, 2), 2)
    assert.strictEqual(next.pages.get(1), paged.pages.get(1))
  })
})
