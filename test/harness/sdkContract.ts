import { resolve } from "node:path"
import { run } from "./Programs.ts"

/** Makes what the SDK has of the contract, which its sources and those of the console import. */
export default async () => {
  await run(process.execPath, ["src/cli/sdk/make.ts"], { cwd: resolve(import.meta.dirname, "../..") })
}
