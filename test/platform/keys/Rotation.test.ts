import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { arranged, isOver, type Rotation, type Step, stepOf } from "../../../src/platform/keys/Rotation.ts"

type Keys = readonly [string, ...ReadonlyArray<string>]

const rotation: Rotation = { old_key: "old", new_key: "new" }

const same = (one: string, other: string) => one === other

const holder = (...keys: Keys) => ({ keys })

/** Machines with their key files, processes that have read them, and the keys of sealed values. */
const makeWorld = (machines: number) => {
  const files: Array<Keys> = Array.from({ length: machines }, () => ["old"])
  const processes = files.flatMap((_, machine): Array<{ machine: number; keys: Keys }> => [
    { machine, keys: ["old"] },
    { machine, keys: ["old"] }
  ])
  const sealed = new Set(["old"])
  const step = () => stepOf(rotation, processes, true)
  const write = (machine: number, at: Step<{ keys: Keys }>["_tag"]) => {
    files[machine] = arranged(files[machine] ?? ["old"], "new", at, same)
  }
  const restart = (index: number) => {
    const process = processes[index]
    if (process !== undefined) process.keys = files[process.machine] ?? ["old"]
  }
  return { files, processes, sealed, step, write, restart }
}

const Choices = Schema.Array(Schema.Tuple([Schema.Int, Schema.Int, Schema.Int])).check(Schema.isMaxLength(60))

describe("a change of the key", () => {
  it.prop(
    "never has a process that cannot open what another one seals, in whatever order machines follow and processes restart",
    { choices: Choices },
    ({ choices }) => {
      const world = makeWorld(3)
      // A command may stop between its look and its write, and go on later with the old look.
      let stale = world.step()._tag
      for (const [what, which, other] of choices.map((each) => each.map(Math.abs))) {
        const index = (which ?? 0) % world.processes.length
        switch ((what ?? 0) % 5) {
          case 0:
            world.write((which ?? 0) % world.files.length, world.step()._tag)
            break
          case 1:
            world.restart(index)
            break
          case 2:
            world.sealed.add(world.processes[index]?.keys[0] ?? "none")
            break
          case 3:
            world.write((which ?? 0) % world.files.length, stale)
            break
          case 4:
            if ((other ?? 0) % 2 === 0) stale = world.step()._tag
        }
        for (const { keys } of world.processes) assert.includeMembers([...keys], [...world.sealed])
      }
      // Further calls of the command complete the change.
      for (let round = 0; round < 2; round++) {
        const { _tag } = world.step()
        for (const machine of world.files.keys()) world.write(machine, _tag)
        for (const index of world.processes.keys()) world.restart(index)
      }
      assert.strictEqual(world.step()._tag, "Seal")
      assert.isTrue(world.processes.every(({ keys }) => keys[0] === "new" && keys.includes("old")))
    }
  )

  it("is not swapped while a process does not open with the new key", () => {
    const late = holder("old")
    assert.deepStrictEqual(stepOf(rotation, [holder("old", "new"), late], false), {
      _tag: "Introduce",
      missing: [late]
    })
    assert.strictEqual(stepOf(rotation, [holder("old", "new")], false)._tag, "Swap")
    assert.deepStrictEqual(stepOf(rotation, [holder("new", "old"), late], true), { _tag: "Introduce", missing: [late] })
  })

  it("is one step where nothing runs", () => {
    assert.deepStrictEqual(stepOf(rotation, [], false), { _tag: "Swap", missing: [] })
    assert.deepStrictEqual(stepOf(rotation, [], true), { _tag: "Seal" })
  })

  it("leaves no key out, adds none twice, and puts none back that seals", () => {
    assert.deepStrictEqual(arranged(["old", "older"], "new", "Introduce", same), ["old", "new", "older"])
    assert.deepStrictEqual(arranged(["old", "new", "older"], "new", "Introduce", same), ["old", "new", "older"])
    assert.deepStrictEqual(arranged(["old", "new", "older"], "new", "Swap", same), ["new", "old", "older"])
    assert.deepStrictEqual(arranged(["new", "old"], "new", "Introduce", same), ["new", "old"])
  })

  it("is over when nobody holds another key", () => {
    assert.isTrue(isOver(rotation, [holder("new")], ["new"]))
    assert.isFalse(isOver(rotation, [holder("new", "old")], ["new"]))
    assert.isFalse(isOver(rotation, [], ["new", "old"]))
  })
})
