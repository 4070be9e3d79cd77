import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { type Keystroke, paletteKeys, stepOf } from "../../../src/console/app/Keystrokes.ts"

const commands = [{ keys: "n" }, { keys: "g w" }, { keys: "g g" }, { keys: "g n" }, {}]

/** The commands that these keystrokes give, in order. */
const given = (strokes: ReadonlyArray<Keystroke>) => {
  let before: Keystroke | undefined
  const run: Array<string | undefined> = []
  for (const stroke of strokes) {
    const step = stepOf(commands, before, stroke)
    if (step.command !== undefined) run.push(step.command.keys)
    before = step.before
  }
  return run
}

const quickly = (...keys: ReadonlyArray<string>) => given(keys.map((key, index) => ({ key, at: index * 200 })))

describe("Keys", () => {
  it("give a command by one key, and by two after each other", () => {
    assert.deepStrictEqual(quickly("n"), ["n"])
    assert.deepStrictEqual(quickly("g", "w"), ["g w"])
    assert.deepStrictEqual(quickly("g", "g"), ["g g"])
  })

  it("mean two after each other before they mean one", () => {
    assert.deepStrictEqual(quickly("g", "n"), ["g n"])
    assert.deepStrictEqual(quickly("w", "n"), ["n"])
  })

  it("begin anew after a command, and after a key that leads nowhere", () => {
    assert.deepStrictEqual(quickly("g", "w", "w"), ["g w"])
    assert.deepStrictEqual(quickly("g", "x", "g", "w"), ["g w"])
  })

  it("belong together for a second and a half", () => {
    assert.deepStrictEqual(given([{ key: "g", at: 0 }, { key: "w", at: 1500 }]), ["g w"])
    assert.deepStrictEqual(given([{ key: "g", at: 0 }, { key: "w", at: 1501 }]), [])
    assert.deepStrictEqual(given([{ key: "g", at: 0 }, { key: "n", at: 1501 }]), ["n"])
  })

  it.prop(
    "never give what was not pressed",
    [Schema.Array(Schema.Literals(["g", "w", "n", "x"])).check(Schema.isMaxLength(20))],
    ([keys]) => {
      const pressed = keys.join(" ")
      for (const command of quickly(...keys)) assert.include(pressed, command ?? "nothing")
    }
  )

  it("opens the palette as the machine writes its keys", () => {
    const written = ["MacIntel", "iPad", "Win32", "Linux x86_64"].map(paletteKeys)
    assert.deepStrictEqual(written, ["⌘K", "⌘K", "Ctrl K", "Ctrl K"])
  })
})
