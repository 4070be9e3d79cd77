// npm run sdk:types: makes the types of turma-sdk anew from the contract. A test fails where that was forgotten.
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { contractDocument } from "../src/cli/bundle/contractDocument.ts"
import { installTools, project } from "../test/tools/Tools.ts"
import { sdkFiles } from "./sdkContract.ts"

const say = (line: string) => process.stdout.write(`${line}\n`)

const missing = await installTools(say)
if (missing === undefined) {
  const folder = join(project, "src/sdk/contract")
  await mkdir(folder, { recursive: true })
  const files = await sdkFiles(JSON.parse(JSON.stringify(contractDocument)))
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)))
  say(`src/sdk/contract is made anew: ${Object.keys(files).join(", ")}.`)
} else {
  say(`Nothing is made: ${missing.reason}.`)
  process.exitCode = 1
}
