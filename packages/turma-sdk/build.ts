import { join } from "node:path"
import { makeSdkContract } from "../../src/cli/sdk/SdkContract.ts"
import { compile } from "../compile.ts"
import type { Package } from "../Package.ts"

/** The client without dependencies, for browsers, Node, Deno and edge runtimes. */
export const sdk: Package = {
  name: "turma-sdk",
  build: async (folder) => {
    await makeSdkContract()
    await compile({ entries: ["index.ts"], folder: join(folder, "dist"), from: "sdk" })
    return {
      description: "The client of Turma without dependencies, for browsers, Node, Deno and edge runtimes",
      sideEffects: false,
      engines: { node: ">=22.19" },
      exports: {
        ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
        "./package.json": "./package.json"
      },
      files: ["dist"]
    }
  }
}
