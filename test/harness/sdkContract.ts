import { resolve } from "node:path"
import { run } from "./Programs.ts"

/** Makes the SDK's types and routes. Its sources and those of the console import them. */
export default async () => {
  await run(process.execPath, ["src/cli/sdk/make.ts"], { cwd: resolve(import.meta.dirname, "../..") })
}
