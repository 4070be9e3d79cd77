import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { compile } from "../compile.ts"
import type { Package } from "../Package.ts"

const module = (path: string) => ({ types: `./dist/${path}.d.ts`, default: `./dist/${path}.js` })

/** The Portuguese of a refusal in compiled code: `, "pt-BR": "…"`. */
const portuguese = /,\s*"pt-BR": "(?:[^"\\\n]|\\.)*"/g

// A client reads sentences and never sends one, and they would be 3 % of a page that has it.
const dropPortuguese = (folder: string) => {
  for (const file of globSync("**/*.js", { cwd: folder })) {
    const path = join(folder, file)
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(portuguese, ""))
  }
}

/** The typed client, and every schema of the contract. */
export const client: Package = {
  name: "turma-client",
  build: async (folder, { dependencies }) => {
    const dist = join(folder, "dist")
    await compile({ entries: ["Client.ts", "Api.ts"], folder: dist, from: "." })
    dropPortuguese(dist)
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
