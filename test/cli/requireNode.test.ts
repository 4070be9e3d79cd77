import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { tooOld } from "../../src/cli/requireNode.js"

const project = fileURLToPath(new URL("../..", import.meta.url))

const line = (version: string) =>
  `Turma needs Node 24.16 or newer and this is ${version}: use npm start / npm test, or node_modules/.bin/node`

/** Makes Node report an older version. */
const older = `data:text/javascript,${
  encodeURIComponent(`Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })`)
}`

describe("an older Node than it needs", () => {
  it.each(["18.0.0", "22.22.1", "23.11.0", "24.0.0", "24.15.0"])("is too old: %s", (version) => {
    assert.strictEqual(tooOld(version), line(version))
  })

  it.each(["24.16.0", "24.21.0", "26.1.0", "100.0.0"])("is not: %s", (version) => {
    assert.isUndefined(tooOld(version))
  })

  it.each([
    ["the service", ["src/cli/run.js"]],
    ["the command line", ["src/cli/turma.js", "--version"]],
    ["the tests", ["node_modules/vitest/vitest.mjs", "run", "test/project/longFiles.test.ts"]]
  ])("is named in one line by %s", (_, args) => {
    const { status, stderr, stdout } = spawnSync(process.execPath, ["--import", older, ...args], {
      cwd: project,
      env: { PATH: process.env["PATH"] },
      encoding: "utf8"
    })
    assert.deepStrictEqual([status, stdout, stderr], [1, "", `${line("20.20.2")}\n`])
  })
})
