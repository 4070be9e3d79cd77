import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { basename, join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "../..")
const read = (path: string) => readFileSync(join(root, path), "utf8")
const namesIn = (folder: string, ending: string) =>
  globSync(`${folder}/*${ending}`, { cwd: root }).map((path) => basename(path, ending)).toSorted()

/** The package and version in the first line of a patch. */
const writtenFor = (text: string) => /^\/\/ Patch of (\S+ [\d.]*\d)\. Without it, /.exec(text)?.[1]

describe("A patch of a package", () => {
  const patches = namesIn("src/platform/patches", ".ts")
  const inTable = new Map([...read("src/platform/patches/README.md").matchAll(/^\| `(\w+)\.ts` \| ([^|]+) \|/gm)]
    .map(([, name, version]) => [name, version]))

  it("has a test, and a line in the table of its folder", () => {
    assert.isAbove(patches.length, 5)
    assert.deepStrictEqual(namesIn("test/platform/patches", ".test.ts"), patches)
    assert.deepStrictEqual([...inTable.keys()], patches)
  })

  it.each(patches)("says first what it is written for, and what breaks without it: %s", (name) => {
    assert.strictEqual(writtenFor(read(`src/platform/patches/${name}.ts`)), inTable.get(name))
  })

  it.each(patches)("has a test that fails when the package no longer needs it: %s", (name) => {
    assert.include(read(`test/platform/patches/${name}.test.ts`), `removable("${name}")`)
  })

  it("would be found without its first line", () => {
    assert.isUndefined(writtenFor("import { a } from \"effect\"\n// Patch of effect 4.1.0. Without it, a fails."))
    assert.isUndefined(writtenFor("// Patch of effect. Without it, a fails."))
    assert.strictEqual(writtenFor("// Patch of effect 4.1.0. Without it, a fails."), "effect 4.1.0")
  })
})
