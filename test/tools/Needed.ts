import type { TestContext } from "@effect/vitest"
import { installTools } from "./Tools.ts"

const say = (line: string) => process.stdout.write(`${line}\n`)

/** Skips if the tools cannot be installed, in a line with the reason. With CI=true it fails instead. */
export const needTools = async ({ skip }: Pick<TestContext, "skip">, place?: string): Promise<void> => {
  const missing = await installTools(say, place)
  if (missing === undefined) return
  if (process.env["CI"] === "true") throw new Error(`The tools of test/tools are not there: ${missing.reason}`)
  skip(`the tools of test/tools are not there: ${missing.reason}`)
}
