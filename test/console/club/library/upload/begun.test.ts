import { assert, describe, it } from "@effect/vitest"
import {
  type Begun,
  begunOf,
  mostBegun,
  read,
  withBegun,
  withoutBegun
} from "../../../../../src/console/club/library/upload/begun.ts"

const chosen = { clubId: "club", personId: "ana", name: "aula.mp4", size: 7, lastModified: 1000 }
const one: Begun = { ...chosen, mediaId: "one" }
const none = new Set<string>()

describe("What a tab has begun", () => {
  it("is gone on with by the same person, club, name, size and date alone", () => {
    assert.strictEqual(begunOf([one], chosen, none), one)
    const others = [
      { clubId: "another" },
      { personId: "bia" },
      { name: "aula2.mp4" },
      { size: 8 },
      { lastModified: 2000 }
    ]
    for (const other of others) assert.isUndefined(begunOf([one], { ...chosen, ...other }, none), JSON.stringify(other))
  })

  it("is gone on with once, the last first", () => {
    const two = { ...one, mediaId: "two" }
    assert.strictEqual(begunOf([one, two], chosen, none), two)
    assert.strictEqual(begunOf([one, two], chosen, new Set(["two"])), one)
    assert.isUndefined(begunOf([one, two], chosen, new Set(["one", "two"])))
  })

  it("is read as it was written, and as nothing where it is something else", () => {
    assert.deepStrictEqual(read(JSON.stringify([one])), [one])
    for (const text of [null, "", "{", "7", "null", "[null, 7, {}]", JSON.stringify([{ ...one, size: "7" }])]) {
      assert.deepStrictEqual(read(text), [])
    }
  })

  it("is the last fifty, each once", () => {
    const many = Array.from({ length: mostBegun + 1 }, (_, n) => ({ ...one, mediaId: `${n}` }))
    const all = many.reduce<ReadonlyArray<Begun>>(withBegun, [])
    assert.deepStrictEqual(all, many.slice(1))
    assert.strictEqual(withBegun(all, many[3] ?? one).length, mostBegun)
    assert.deepStrictEqual(withoutBegun([one, many[0] ?? one], "one").map(({ mediaId }) => mediaId), ["0"])
  })
})
