import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { run } from "../harness/Programs.ts"
import { programsOf, withoutCollection } from "./Packed.ts"

/** The libraries of browsers. */
const browser = ["ES2024", "DOM", "DOM.Iterable", "DOM.AsyncIterable"]

/** A way to find a package, with what is known there besides: a bundler's in browsers, and that of Node. */
export const inBrowsers = { module: "ESNext", moduleResolution: "Bundler", lib: browser, types: [] }
export const inNode = { module: "NodeNext", moduleResolution: "NodeNext", lib: ["ES2024"], types: ["node"] }

export const latest = { name: "TypeScript 7", compiler: "typescript" }
export const former = { name: "TypeScript 5", compiler: "typescript5" }

/** Each compiler with each way. */
export const settings = [latest, former].flatMap(({ compiler, name }) => [
  { ...inNode, compiler, name: `Node by ${name}` },
  { ...inBrowsers, compiler, name: `browsers by ${name}` }
])

interface Setting {
  readonly compiler: string
  readonly module: string
  readonly moduleResolution: string
  readonly lib: ReadonlyArray<string>
  readonly types: ReadonlyArray<string>
}

/**
 * Checks what the configuration names, with our declarations. TypeScript 7 alone checks those of Effect, Node and the
 * compiler, which take longest.
 */
const checkOurs = `
import ts from "typescript5"
const { config } = ts.readConfigFile(process.argv[2], ts.sys.readFile)
const { errors, fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, process.cwd())
const program = ts.createProgram(fileNames, options)
const theirs = /node_modules\\/(?:effect|typescript5|@types)\\//
const ours = program.getSourceFiles().filter(({ fileName }) => !theirs.test(fileName))
const faults = [
  ...errors,
  ...program.getOptionsDiagnostics(),
  ...program.getGlobalDiagnostics(),
  ...ours.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
]
const names = { getCurrentDirectory: process.cwd, getCanonicalFileName: (name) => name, getNewLine: () => "\\n" }
process.stdout.write(ts.formatDiagnostics(faults, names))
`

const compile = async (folder: string, shared: string, compiler: string, config: string) => {
  if (compiler === latest.compiler) {
    // Several threads would each check the same types again.
    const args = ["--project", config, "--pretty", "false", "--singleThreaded"]
    return run(process.execPath, [join(shared, "node_modules/typescript/bin/tsc"), ...args], {
      cwd: folder,
      env: withoutCollection
    })
  }
  await writeFile(join(folder, "check.mjs"), checkOurs)
  return run(process.execPath, ["--max-semi-space-size=64", "check.mjs", config], { cwd: folder })
}

/**
 * Checks files of a folder in the shared project and all declarations that they need, with the strictest settings.
 * Answers the lines of the faults.
 */
export const check = async (
  { folder, shared }: { readonly folder: string; readonly shared: string },
  { compiler, lib, module, moduleResolution, types }: Setting,
  files: ReadonlyArray<string>
) => {
  const strict = {
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    target: "ES2022",
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true
  }
  const config = join(folder, `${compiler}-${module}.json`)
  const compilerOptions = { ...strict, lib, module, moduleResolution, types }
  await writeFile(config, JSON.stringify({ compilerOptions, files }))
  const said = await compile(folder, shared, compiler, config).then(({ stdout }) => stdout, String)
  const faults = said.split("\n").filter((line) => /error TS/.test(line))
  if (faults.length === 0 && said.trim() !== "") throw new Error(said)
  return faults
}

/** Writes the programs in a package's README, each as a separate module. Answers their files. */
export const writeReadme = async (folder: string, name: string) => {
  const programs = await programsOf(name)
  await Promise.all(programs.map((program, place) => writeFile(join(folder, `readme-${place}.ts`), program)))
  return programs.map((_, place) => `readme-${place}.ts`)
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
