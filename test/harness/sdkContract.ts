import { resolve } from "node:path"
import { run } from "./Programs.ts"

/** Builds the SDK's types and routes, which its sources and those of the console import. */
export default async () => {
  await run(process.execPath, ["src/cli/sdk/make.ts"], { cwd: resolve(import.meta.dirname, "../..") })
}
