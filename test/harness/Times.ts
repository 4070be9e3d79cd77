import type { Reporter, TestModule } from "vitest/node"

const kindOf = (path: string) => /^test\/([^/.]+)\//.exec(path)?.[1] ?? "the whole"

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1).padStart(8)} s`

/** Prints at the end the time of each kind of test, and of each file over 20 seconds. Small runs print nothing. */
export class Times implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>) {
    if (modules.length < 50) return
    const files = modules.map((module) => ({ path: module.relativeModuleId, took: module.diagnostic().duration }))
    const kinds = Map.groupBy(files, ({ path }) => kindOf(path))
    const lines = [...kinds]
      .map(([kind, of]) => ({ line: `${kind}, ${of.length} files`, took: of.reduce((sum, { took }) => sum + took, 0) }))
    const long = files.filter(({ took }) => took > 20_000).map(({ path, took }) => ({ line: path, took }))
    for (const rows of [lines, long]) {
      for (const { line, took } of rows.toSorted((one, other) => other.took - one.took)) {
        process.stdout.write(`${seconds(took)}  ${line}\n`)
      }
      process.stdout.write("\n")
    }
  }
}
