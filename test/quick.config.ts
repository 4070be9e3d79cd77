import { defineConfig } from "vitest/config"
import all from "../vitest.config.ts"
import { quickFiles } from "./harness/QuickFiles.ts"

// `npm run test:quick`: like `npm test`, without servers and without the tests that need one.
export default defineConfig({
  ...all,
  root: new URL("..", import.meta.url).pathname,
  test: { ...all.test, include: [...quickFiles()], globalSetup: ["test/harness/sdkContract.ts"] }
})
