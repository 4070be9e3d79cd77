import { assert, describe, it } from "@effect/vitest"
import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import { withFiles } from "../harness/Files.ts"
import { needTools } from "../tools/Needed.ts"
import { tools } from "../tools/Tools.ts"
import { findUnused } from "../tools/Unused.ts"

const main = "import { used } from \"./rules.ts\"\nused()\n"
const rules = "export const used = () => bound\nexport const bound = 3\n"
const test = "import { bound } from \"../src/rules.ts\"\nbound\n"

/** A project with everything that the check finds, and with a bound that it leaves to a test. */
const files = {
  "package.json": "{ \"type\": \"module\" }",
  "src/main.ts": main,
  "src/rules.ts": `${rules}export const dead = 1\nexport type Dead = string\nexport const planted = 1\n`,
  "src/nowhere.ts": "export {}\n",
  "test/rules.test.ts": `${test}import { planted } from "../src/rules.ts"\nplanted\n`,
  "test/tools/package.json": "{}"
}

describe("the check of unused code", () => {
  // .ci/unused.ts runs it over the whole project, where it finds nothing.
  it("finds what nothing or only a test imports, types and files too, and leaves a test its bound", async (context) => {
    await needTools(context)
    const found = await withFiles(files, async (folder) => {
      await copyFile(join(tools, "knip.ts"), join(folder, "test/tools/knip.ts"))
      return findUnused(folder, ["--no-config-hints"])
    })
    const [nothing, unused = "", tests, ofTests = ""] = found.map((part) => part.replaceAll(/\s+/g, " "))
    assert.deepStrictEqual([nothing, tests], ["Nothing uses:", "Only tests use:"])
    assert.match(unused, /src\/nowhere\.ts .*dead src\/rules\.ts:3:14 .*Dead type src\/rules\.ts:4:13/)
    assert.notMatch(unused, /planted/)
    assert.match(ofTests, /planted src\/rules\.ts:5:14/)
    assert.notMatch(unused + ofTests, /bound|used src/)
  })
})
