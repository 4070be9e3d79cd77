import { join } from "node:path"
import { compile } from "../compile.ts"
import type { Package } from "../Package.ts"

const module = (path: string) => ({ types: `./dist/${path}.d.ts`, default: `./dist/${path}.js` })

/** The typed client, and every schema of the contract. */
export const client: Package = {
  name: "turma-client",
  build: async (folder, { dependencies }) => {
    await compile({ entries: ["Client.ts", "Api.ts"], folder: join(folder, "dist"), from: "." })
    return {
      description: "The typed Effect client of Turma, the API of a learning-community platform",
      sideEffects: false,
      engines: { node: ">=22.19" },
      exports: { ".": module("Client"), "./*": module("*"), "./package.json": "./package.json" },
      files: ["dist"],
      // Its HTTP modules change between minor versions, as they say of themselves.
      peerDependencies: { effect: `~${dependencies["effect"]}` }
    }
  }
}
