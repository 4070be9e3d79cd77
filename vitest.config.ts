import { configDefaults, defineConfig } from "vitest/config"
import { requireNode } from "./src/cli/requireNode.js"
import { compileCache } from "./test/harness/CompileCache.ts"
import { LongestFirst } from "./test/harness/LongestFirst.ts"
import { NotRun } from "./test/harness/NotRun.ts"
import { Times } from "./test/harness/Times.ts"
import { hasTrials, trials } from "./test/harness/Trials.ts"

// The tests run on the Node that runs this.
requireNode()

const hasPath = process.argv.some((argument) => argument.startsWith("test/"))
const takesTrials = hasTrials || hasPath

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...takesTrials ? [] : trials],
    globalSetup: [
      "test/harness/sdkContract.ts",
      // Takes longer than it saves to a single file.
      ...hasPath ? [] : ["test/harness/bundle.ts"],
      "test/harness/servers.ts"
    ],
    env: { ...compileCache, TEST_TRIALS: takesTrials ? "1" : "" },
    // As the service does.
    setupFiles: ["effect/schema/SchemaJITCompiler/enable"],
    // State lives in layers, not in modules, so files share a worker and import Effect once. Inside a file tests run
    // one after another: those of a `layer` block share its TestClock.
    isolate: false,
    // Much of a test is waiting for servers and processes, so three share two cores well.
    maxWorkers: 3,
    // Workers make a lot that is soon forgotten, and have the memory to collect it less often.
    execArgv: ["--max-semi-space-size=64"],
    sequence: { sequencer: LongestFirst },
    reporters: ["default", new NotRun(), new Times()],
    // A test waits for signals; this ends one that waits in vain, and no other, however busy the machine is.
    testTimeout: 300_000,
    hookTimeout: 300_000
  }
})
