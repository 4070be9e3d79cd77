import { existsSync } from "node:fs"
import { assert, it } from "vitest"
import { longFiles } from "../harness/LongFiles.ts"

it("starts with files that there are", () => {
  assert.deepStrictEqual(longFiles.filter((file) => !existsSync(new URL(`../${file}`, import.meta.url))), [])
})
