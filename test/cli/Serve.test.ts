import { assert, describe, it } from "@effect/vitest"
import { loadedModules } from "../harness/LoadedModules.ts"

/** Packages that only some installations or some requests use. */
const rare =
  /\/node_modules\/(?:undici|ioredis|nodemailer|file-type|csv-parse|unpdf|stripe|aws4fetch|effect\/dist\/(?:ai|cli|rpc|observability))\//

const rareIn = (module: string) =>
  loadedModules(new URL(module, import.meta.url)).split("\n").filter((url) => rare.test(url))

describe("a start of the service", () => {
  it("loads no package that may never be used", () => {
    assert.deepStrictEqual(rareIn("../../src/cli/serve.ts"), [])
    assert.deepStrictEqual(rareIn("../../src/App.ts"), [])
  })

  it("loads the features only once it serves", () => {
    assert.notInclude(loadedModules(new URL("../../src/cli/serve.ts", import.meta.url)), "/src/App.ts")
    assert.isNotEmpty(rareIn("../../src/webhooks/send/Connection.ts"))
  })
})
