import type { TestContext } from "@effect/vitest"
import { installTools } from "./Tools.ts"

const say = (line: string) => process.stdout.write(`${line}\n`)

/** Skips where the tools cannot be had, in a line that says why; where everything has to be checked that is a failure. */
export const needTools = async ({ skip }: Pick<TestContext, "skip">, place?: string): Promise<void> => {
  const missing = await installTools(say, place)
  if (missing === undefined) return
  if (process.env["CI"] === "true") throw new Error(`The tools of test/tools are not there: ${missing.reason}`)
  skip(`the tools of test/tools are not there: ${missing.reason}`)
}
