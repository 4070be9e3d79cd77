import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, posix } from "node:path"
import { project, runNode } from "./Package.ts"
import { sortUnions } from "./Unions.ts"

/** Modules to compile. */
interface Modules {
  /** The folder under `src` that paths in the package begin at. */
  readonly from: string
  /** The modules for users, by their paths in that folder; their own imports come with them. */
  readonly entries: ReadonlyArray<string>
  /** Where the JavaScript goes, with its declarations beside it. */
  readonly folder: string
}

/** A relative import in JavaScript or a declaration: of a statement, or of a type that the compiler has inferred. */
const relativeImport = /(?<=\bfrom\s*["']|\bimport\s*["']|\bimport\(\s*["'])\.[^"']+(?=["'])/g

// An emitted declaration keeps the `.ts` of its source, which the package does not have.
const settleDeclaration = (declaration: string) => {
  const text = readFileSync(declaration, "utf8")
  writeFileSync(declaration, sortUnions(text.replaceAll(relativeImport, (path) => path.replace(/\.ts$/, ".js"))))
}

const declarationOf = (script: string) => script.replace(/\.js$/, ".d.ts")

const importsOf = (folder: string, file: string) =>
  [...readFileSync(join(folder, file), "utf8").matchAll(relativeImport)].map(([path]) =>
    posix.join(posix.dirname(file), path)
  )

/** These files and what they reach by imports. */
const reached = (folder: string, files: ReadonlyArray<string>): ReadonlySet<string> => {
  const found = new Set(files)
  for (const file of found) {
    for (const path of importsOf(folder, file)) found.add(file.endsWith(".d.ts") ? declarationOf(path) : path)
  }
  return found
}

const configuration = ({ entries, from }: Modules, outDir: string) => ({
  extends: join(project, "tsconfig.json"),
  compilerOptions: {
    // Nothing of Node: what browsers have is there everywhere.
    types: [],
    lib: ["ES2024", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
    target: "ES2022",
    noEmit: false,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    rootDir: join(project, "src", from),
    outDir
  },
  files: entries.map((entry) => join(project, "src", from, entry)),
  include: []
})

/**
 * Compiles modules for users without our TypeScript: JavaScript with its declarations. Of the compiled modules, only
 * the ones that an entry needs to run or to be checked come into the folder.
 */
export const compile = async (modules: Modules): Promise<void> => {
  const all = `${modules.folder}-compiled`
  const config = `${all}.json`
  writeFileSync(config, JSON.stringify(configuration(modules, all)))
  await runNode(join(project, "node_modules/typescript/bin/tsc"), ["--project", config], project)
  for (const declaration of globSync("**/*.d.ts", { cwd: all })) settleDeclaration(join(all, declaration))
  const scripts = reached(all, modules.entries.map((entry) => entry.replace(/\.ts$/, ".js")))
  // A user who imports a module by its path needs its types, even if no entry does.
  const declarations = reached(all, [...scripts].map(declarationOf))
  for (const file of [...scripts, ...declarations]) cpSync(join(all, file), join(modules.folder, file))
  for (const path of [all, config]) rmSync(path, { recursive: true })
}
