import { assert, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { version } from "../../src/platform/version.ts"

const root = resolve(import.meta.dirname, "../..")

const headings = [...readFileSync(join(root, "CHANGELOG.md"), "utf8").matchAll(/^## (\S+)(?: \((unreleased)\))?$/gm)]

const kept = readdirSync(join(root, "test/upgrades/versions"))

/** The released versions. Packages exist since 0.2.0. */
const released = headings.flatMap(([, name, unreleased]) => unreleased === undefined ? [name] : [])

const keptAs = (suffix: string) => kept.filter((file) => file.endsWith(suffix)).toSorted()

it("keeps the package of the version that was released last and of no other", () => {
  assert.deepStrictEqual(keptAs(".tar.br"), [`${released[0]}.tar.br`])
})

it("keeps a database of every version that was released", () => {
  assert.isNotEmpty(released)
  assert.deepStrictEqual(keptAs(".sql.br"), released.map((name) => `${name}.sql.br`).toSorted())
})

it("says what is in this version", () => {
  assert.strictEqual(headings[0]?.[1], version)
})
