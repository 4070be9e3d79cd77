import { resolve } from "node:path"
import { run } from "./Programs.ts"

/** Makes the bundle. Processes of the tests start from it in two thirds of the time. */
export default async () => {
  await run(process.execPath, ["src/cli/bundle/make.ts"], { cwd: resolve(import.meta.dirname, "../..") })
}
