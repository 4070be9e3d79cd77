import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  itemAt,
  mostPages,
  type Page,
  type Paged,
  rereadPages,
  rowsOf,
  unread,
  wantedPages,
  withItem,
  withPage,
  withReread
} from "../../../src/browser/client/Paged.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const size = 10

/** A list of the API with this many items. Its cursors say where a page begins. */
const pageOf = (length: number, cursor: string | undefined): Page<number> => {
  const from = Number(cursor ?? 0)
  const to = Math.min(length, from + size)
  return {
    data: Array.from({ length: to - from }, (_, index) => from + index),
    next_cursor: to < length ? String(to) : null
  }
}

/** Reads pages until these rows want nothing further. */
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

/** A page of a list with these items left. A cursor names the item before the page. */
const keysetPage = (items: ReadonlyArray<number>, cursor: string | undefined): Page<number> => {
  const left = items.filter((item) => item > Number(cursor ?? -Infinity))
  const data = left.slice(0, size)
  return { data, next_cursor: left.length > size ? String(data.at(-1)) : null }
}

const readOn = (items: ReadonlyArray<number>, known: Paged<number>, to: number): Paged<number> => {
  let paged = known
  for (let tries = 0; tries < 200; tries++) {
    const [wanted] = wantedPages(paged, 0, to).concat(wantedPages(paged, to - 1, to))
    if (wanted === undefined) return paged
    paged = withPage(paged, wanted, keysetPage(items, paged.cursors[wanted]))
  }
  return paged
}

const rereadOf = (items: ReadonlyArray<number>, paged: Paged<number>, from: number, to: number) => {
  const { first, last } = rereadPages(paged, from, to)
  const pages: Array<Page<number>> = []
  let cursor = paged.cursors[first]
  for (let number = first; number <= last; number++) {
    const page = keysetPage(items, cursor)
    pages.push(page)
    if (page.next_cursor === null || page.next_cursor === undefined) break
    cursor = page.next_cursor
  }
  return { first, last, next: withReread(paged, first, pages) }
}

describe("A list that is read anew", () => {
  const Items = Schema.Array(between(-50, 120)).check(Schema.isUnique(), Schema.isMaxLength(90))

  it.prop("is what it is by then, as far as it was known", [Items, Items, between(1, 90)], ([before, after, to]) => {
    const [were, are] = [before.toSorted((a, b) => a - b), after.toSorted((a, b) => a - b)]
    const paged = readOn(were, unread<number>(size), to)
    const { first, last, next } = rereadOf(are, paged, Math.max(0, to - 5), to)
    assert.strictEqual(first, 0)
    const rows = Math.min(are.length, (last + 1) * size)
    for (let row = 0; row < rows; row++) assert.strictEqual(itemAt(next, row), are[row], `row ${row}`)
    assert.strictEqual(rowsOf(next), are.length <= rows ? are.length : rows + 1)
  })

  it("keeps the place of whoever has read far down, and reads what is looked at alone", () => {
    const items = Array.from({ length: 300 }, (_, index) => index)
    let paged = unread<number>(size)
    for (let to = size; to <= 180; to += size) paged = lookedAt(300, paged, to - 1, to)
    const { first, last, next } = rereadOf(
      items.filter((item) => item !== 142),
      {
        ...paged,
        cursors: paged.cursors.map((cursor) => cursor === undefined ? undefined : String(Number(cursor) - 1))
      },
      140,
      150
    )
    assert.deepStrictEqual([first, last], [14, 14])
    assert.strictEqual(itemAt(next, 0), 0)
    assert.strictEqual(itemAt(next, 142), 143)
    assert.strictEqual(rowsOf(next), 151)
  })
})
