import { assert, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"

const guide = readFileSync(new URL("../../src/guides/failures.md", import.meta.url), "utf8")

it("each promise of the guide to failures names tests that are there", () => {
  const parts = guide.split("\n## ").slice(1)
  for (const part of parts) {
    const tests = [...part.matchAll(/`(test\/[\w/]+\.test\.ts)`/g)].map(([, file = ""]) => file)
    assert.isAbove(tests.length, 0, part.split("\n", 1)[0])
    for (const file of tests) assert.isTrue(existsSync(new URL(`../../${file}`, import.meta.url)), file)
  }
})
