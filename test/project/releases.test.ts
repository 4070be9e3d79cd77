import { assert, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { version } from "../../src/platform/version.ts"

const root = resolve(import.meta.dirname, "../..")

const headings = [...readFileSync(join(root, "CHANGELOG.md"), "utf8").matchAll(/^## (\S+)(?: \((unreleased)\))?$/gm)]

const kept = readdirSync(join(root, "test/upgrades/versions"))

it("keeps the package of the version that was released last and of no other, and its database", () => {
  const last = headings.find(([, , unreleased]) => unreleased === undefined)
  assert.deepStrictEqual(kept.filter((file) => file.endsWith(".tar.br")), [`${last?.[1]}.tar.br`])
  assert.include(kept, `${last?.[1]}.sql.br`)
})

it("says what is in this version", () => {
  assert.strictEqual(headings[0]?.[1], version)
})
