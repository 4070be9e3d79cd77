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

/** The findings in a project of these files, in one line. */
const found = (files: Readonly<Record<string, string>>) =>
  withFiles(
    {
      "package.json": "{ \"type\": \"module\" }",
      "src/main.ts": main,
      "src/rules.ts": rules,
      "test/rules.test.ts": test,
      "test/tools/package.json": "{}",
      ...files
    },
    async (folder) => {
      await copyFile(join(tools, "knip.ts"), join(folder, "test/tools/knip.ts"))
      return (await findUnused(folder, ["--no-config-hints"])).join(" ").replaceAll(/\s+/g, " ")
    }
  )

describe("the check of unused code", () => {
  it("leaves a test the bound that the product uses in the same file", async (context) => {
    await needTools(context)
    assert.strictEqual(await found({}), "")
  })

  it("finds exports that nothing imports, types too, and files that nothing reaches", async (context) => {
    await needTools(context)
    const line = await found({
      "src/rules.ts": `${rules}export const dead = 1\nexport type Dead = string\n`,
      "src/nowhere.ts": "export {}\n"
    })
    assert.match(line, /^Nothing uses: .*src\/nowhere\.ts .*dead src\/rules\.ts:3:14 .*Dead type src\/rules\.ts:4:13/)
  })

  it("finds an export that only tests import", async (context) => {
    await needTools(context)
    const line = await found({
      "src/rules.ts": `${rules}export const planted = 1\n`,
      "test/rules.test.ts": `${test}import { planted } from "../src/rules.ts"\nplanted\n`
    })
    assert.match(line, /^Only tests use: .*planted src\/rules\.ts:3:14/)
  })
})
