import { globSync } from "node:fs"
import { assert, it } from "vitest"
import { trials } from "../harness/Trials.ts"

it("leaves out files that there are", () => {
  const patterns = trials.flatMap((pattern) => {
    const [, before = "", among = "", after = ""] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? []
    return among === "" ? [pattern] : among.split(",").map((name) => `${before}${name}${after}`)
  })
  assert.deepStrictEqual(patterns.filter((pattern) => globSync(pattern).length === 0), [])
})
