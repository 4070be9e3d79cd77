import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { run } from "../harness/Programs.ts"
import { otherNode, programsOf } from "./Packed.ts"

/** The oldest Node that the clients support, besides the project's. */
export const node22 = otherNode("22.23.3")

/** The compilers that check the packages, to be installed beside them. */
export const compilers = ["typescript@7.0.2", "typescript5@npm:typescript@5.9.3", "@types/node@24.19.2"]

/** Each compiler, and each way to find a package. */
export const settings = [
  { compiler: "typescript", module: "NodeNext", moduleResolution: "NodeNext" },
  { compiler: "typescript", module: "ESNext", moduleResolution: "Bundler" },
  { compiler: "typescript5", module: "NodeNext", moduleResolution: "NodeNext" }
]

/** The libraries of browsers. */
export const browser = ["ES2024", "DOM", "DOM.Iterable", "DOM.AsyncIterable"]

interface Setting {
  readonly compiler: string
  readonly module: string
  readonly moduleResolution: string
  readonly lib: ReadonlyArray<string>
  readonly types: ReadonlyArray<string>
}

/** Checks files and all declarations that they need, with the strictest settings. Answers the lines of the faults. */
export const check = async (
  folder: string,
  { compiler, ...setting }: Setting,
  files: ReadonlyArray<string> = ["use.ts"]
) => {
  const strict = { strict: true, skipLibCheck: false, noEmit: true, target: "ES2022", exactOptionalPropertyTypes: true }
  const config = join(folder, `${compiler}-${setting.module}.json`)
  await writeFile(config, JSON.stringify({ compilerOptions: { ...strict, ...setting }, files }))
  const args = [`node_modules/${compiler}/bin/tsc`, "--project", config, "--pretty", "false"]
  const faults = await run(process.execPath, args, { cwd: folder }).then(({ stdout }) => stdout, String)
  return faults.split("\n").filter((line) => /error TS/.test(line))
}

/** Checks the programs in a package's README, each as a separate module. Answers the lines of the faults. */
export const checkReadme = async (folder: string, name: string) => {
  const programs = await programsOf(name)
  const files = programs.map((_, place) => `readme-${place}.ts`)
  await Promise.all(programs.map((program, place) => writeFile(join(folder, `readme-${place}.ts`), program)))
  const setting = { compiler: "typescript", module: "NodeNext", moduleResolution: "NodeNext" }
  return { faults: await check(folder, { ...setting, lib: browser, types: ["node"] }, files), programs: files.length }
}

/** This program, minified for a page: its imports, and its size in bytes, also compressed. */
export const pageOf = async (folder: string, program: string) => {
  const page = join(folder, "page.js")
  await writeFile(page, program)
  const bundle = await rolldown({ input: page, platform: "browser" })
  const { output } = await bundle.generate({ format: "esm", minify: true })
  await bundle.close()
  const code = output.map((file) => file.type === "chunk" ? file.code : "").join("")
  return { imports: output[0].imports, size: code.length, compressed: gzipSync(code).length }
}
