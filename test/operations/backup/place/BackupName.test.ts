import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import {
  backupName,
  isBackupName,
  markOf,
  marksLeft,
  seriesOfName,
  surplus
} from "../../../../src/operations/backup/place/BackupName.ts"

const at = (minutes: number) => DateTime.addDuration(DateTime.makeUnsafe("2026-11-27T03:00:00Z"), `${minutes} minutes`)
const own = "0a1b2c3d"
const nameAt = (minutes: number) => backupName(own, at(minutes))

const verified = (names: ReadonlyArray<string>) => names.map((name) => ({ name, isVerified: true }))

const Minutes = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000 }))).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(20)
)
const Keep = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 25 }))

describe("The name of a kept backup", () => {
  it("says of which installation it is and when it began", () => {
    assert.strictEqual(nameAt(45), "turma-0a1b2c3d-20261127T034500Z.turma")
    assert.strictEqual(seriesOfName(nameAt(45)), own)
    for (
      const other of ["a.turma", `${nameAt(1)}.part`, `old-${nameAt(1)}`, nameAt(1).toUpperCase(), `x/${nameAt(1)}`]
    ) {
      assert.isFalse(isBackupName(other), other)
    }
  })

  it("is nobody's to delete but those of this installation that are older than the last", () => {
    const others = ["notes.txt", "turma.turma", `${nameAt(0)}.part`, backupName("ffffffff", at(0))]
    const names = verified([...others, nameAt(3), nameAt(1), nameAt(2)])
    const made = nameAt(3)
    assert.deepStrictEqual(surplus(names, { keep: 2, made, series: own }), [nameAt(1)])
    assert.deepStrictEqual(surplus(names, { keep: 1, made, series: own }), [nameAt(1), nameAt(2)])
    assert.deepStrictEqual(surplus(names, { keep: 3, made, series: own }), [])
  })

  it("counts for none where it was not verified, and only the newest of those stays", () => {
    const made = nameAt(9)
    const stored = [
      ...verified([nameAt(1), nameAt(2), nameAt(4), made]),
      ...[nameAt(3), nameAt(5), nameAt(6)].map((name) => ({ name, isVerified: false }))
    ]
    assert.deepStrictEqual(surplus(stored, { keep: 3, made, series: own }), [nameAt(1), nameAt(3), nameAt(5)])
    // The new backup is older than all others.
    assert.deepStrictEqual(
      surplus(stored, { keep: 1, made, series: own }),
      [1, 2, 3, 4, 5, 6].map(nameAt)
    )
  })

  it("is not what a mark of one that did not come is called", () => {
    const mark = markOf(nameAt(1))
    assert.isFalse(isBackupName(mark))
    const others = [markOf(nameAt(9)), markOf(backupName("ffffffff", at(1))), nameAt(1), "a.unverified"]
    assert.deepStrictEqual(marksLeft([mark, ...others], own, at(5)), [])
    assert.deepStrictEqual(marksLeft([mark, ...others.filter((name) => name !== nameAt(1))], own, at(5)), [mark])
  })

  it.prop(
    "is kept as often as is wanted, however many that were not verified are beside it",
    { minutes: Minutes, unverified: Minutes, keep: Keep },
    ({ keep, minutes, unverified }) => {
      const good = [...new Set(minutes)].map(nameAt)
      const bad = [...new Set(unverified)].map(nameAt).filter((name) => !good.includes(name))
      const made = good.at(-1) ?? ""
      const stored = [...verified(good), ...bad.map((name) => ({ name, isVerified: false }))]
      const gone = surplus(stored, { keep, made, series: own })
      assert.strictEqual(good.filter((name) => !gone.includes(name)).length, Math.min(keep, good.length))
      assert.isAtMost(bad.filter((name) => !gone.includes(name)).length, 1)
    }
  )

  it.prop(
    "keeps what was just made, whatever a clock has said before, and as many as are wanted",
    { minutes: Minutes, keep: Keep },
    ({ keep, minutes }) => {
      const names = [...new Set(minutes)].map(nameAt)
      const made = names.at(-1) ?? ""
      const gone = surplus(verified(names), { keep, made, series: own })
      const kept = names.filter((name) => !gone.includes(name))
      assert.include(kept, made)
      assert.strictEqual(kept.length, Math.min(keep, names.length))
      for (const name of kept.filter((name) => name !== made)) assert.isTrue(gone.every((old) => old < name))
    }
  )
})
