import type { Reporter, TestModule } from "vitest/node"

/** Prints at the end which tests did not run on this machine, and why. They would be easy to miss among thousands. */
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
