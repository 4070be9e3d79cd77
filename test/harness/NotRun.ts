import type { Reporter, TestModule } from "vitest/node"

/** Says at the end which tests were not run on this machine, and why: among thousands that passed nobody misses them. */
export class NotRun implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>) {
    for (const { children, relativeModuleId } of modules) {
      for (const test of children.allTests("skipped")) {
        const result = test.result()
        if (result.state !== "skipped" || result.note === undefined) continue
        process.stdout.write(`Not run: ${relativeModuleId}, ${test.fullName}: ${result.note}\n`)
      }
    }
  }
}
