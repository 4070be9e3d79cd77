import { assert, it } from "@effect/vitest"
import { loadedModules } from "../harness/LoadedModules.ts"

it("A start loads neither the service nor what looks after several processes before it knows how many", () => {
  const loaded = loadedModules(new URL("../../src/cli/start.ts", import.meta.url))
  assert.match(loaded, /ProcessSettings\.ts/)
  assert.notMatch(loaded, /serve\.ts|supervise\.ts|node:cluster/)
})
