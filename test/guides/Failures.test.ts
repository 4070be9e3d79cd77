import { assert, describe, it } from "@effect/vitest"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))
const textOf = (file: string) => readFileSync(`${root}/${file}`, "utf8")

const parts = textOf("src/guides/failures.md").split("\n## ").slice(1).map((text) => {
  const [title = ""] = text.split("\n", 1)
  const tests = [...text.matchAll(/`(test\/[\w/]+\.test\.ts)`/g)].map(([, file = ""]) => file)
  return { title, text, tests }
})

const source = readdirSync(`${root}/src`, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => textOf(`src/${file}`))
  .join("\n")

describe("the guide to failures", () => {
  it.each(parts)("names tests that are there: $title", ({ tests }) => {
    assert.isAbove(tests.length, 0)
    for (const file of tests) assert.isTrue(existsSync(`${root}/${file}`), file)
  })

  it("names each test that breaks the installation from outside", () => {
    const named = parts.flatMap(({ tests }) => tests)
    const files = readdirSync(`${root}/test/survive`).filter((file) => file.endsWith(".test.ts"))
    assert.includeMembers(named, files.map((file) => `test/survive/${file}`))
  })

  it.each(parts)("quotes what is said, as it is in the source or awaited by its tests: $title", ({ tests, text }) => {
    const known = [source, ...tests.map(textOf)].join("\n")
    const lines = [...text.matchAll(/"([^"\n]+)"/g)].flatMap(([, line = ""]) => line.split(/,? ?… ?/))
    for (const line of lines) assert.isTrue(known.includes(line), line)
  })

  it.each(parts)("names codes and settings that there are: $title", ({ text }) => {
    const codes = [...text.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, code = ""]) => code)
    const settings = [...text.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, name = ""]) => name)
    for (const name of [...codes, ...settings]) assert.isTrue(source.includes(name), name)
  })
})
