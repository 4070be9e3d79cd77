import { assert, describe, it } from "@effect/vitest"
import { tableTrends } from "./Tables.ts"

const MB = 1024 * 1024

/** The verdict on a table with so many MB and rows on each of five days. */
const said = (table: string, at: (day: number) => { readonly heap: number; readonly rows: number }) => {
  const looks = Array.from({ length: 20 }, (_, n) => {
    const { heap, rows } = at(Math.floor(n / 4))
    return { day: n / 4, tables: [{ table, heap: heap * MB, indexes: MB, rows }] }
  })
  return tableTrends(looks).map(({ table, verdict }) => `${table}: ${verdict}`)
}

describe("A table", () => {
  it("is flat where it takes as much every day", () => {
    assert.deepStrictEqual(said("clubs", () => ({ heap: 10, rows: 100 })), ["clubs: flat"])
  })

  it("may grow with its rows, and not without them", () => {
    const rows = (day: number) => 100_000 * (day + 1)
    const looks = (heap: (day: number) => number) => said("comments", (day) => ({ heap: heap(day), rows: rows(day) }))
    assert.deepStrictEqual(looks((day) => 10 * (day + 1)), ["comments: grows with its rows"])
    assert.deepStrictEqual(looks((day) => 10 * (day + 1) ** 2), ["comments: rises"])
  })

  it("that holds what waits may not grow with its rows either", () => {
    assert.deepStrictEqual(said("event_outbox", (day) => ({ heap: day + 1, rows: 1000 * (day + 1) })), [
      "event_outbox: rises"
    ])
  })

  it("of less than a MiB says nothing", () => {
    const looks = Array.from({ length: 20 }, (_, n) => ({
      day: n / 4,
      tables: [{ table: "small", heap: 8192 * n, indexes: 8192, rows: 1 }]
    }))
    assert.deepStrictEqual(tableTrends(looks), [])
  })
})
