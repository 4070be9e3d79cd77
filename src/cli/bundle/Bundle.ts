import { writeFile } from "node:fs/promises"
import { isBuiltin } from "node:module"
import { join, relative } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { type Plugin, rolldown } from "rolldown"
import { project } from "./place.js"

/** Ours, and what is loaded whole for the sake of its parts. Other packages stay where their own files are. */
const isBundled = (id: string) => /^[./]/.test(id) || /^(?:effect|@effect\/[^/]+)(?:\/|$)/.test(id)

/** A module that another starts as a thread by its address: not an import, but a part of the bundle. */
const startedModule = /new URL\("(\.[^"]+\.ts)", import\.meta\.url\)/g

/**
 * A module finds files beside it by its address. In the bundle that is the address of its source, as seen from the
 * bundle.
 */
const addressesOfSources = ({ folder, root }: Place): Plugin => ({
  name: "addresses of sources",
  transform(code, id) {
    if (!id.startsWith(`${project}src/`) || !code.includes("import.meta.url")) return null
    const address = relative(folder, join(root, relative(project, id)))
    return code
      .replaceAll(startedModule, (_, started: string) => {
        const module = fileURLToPath(new URL(started, pathToFileURL(id)))
        return `new URL(import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: "chunk", id: module })})`
      })
      .replaceAll("import.meta.url", `new URL(${JSON.stringify(address)}, import.meta.url).href`)
  }
})

/** The folder of a bundle, and the root of the project that it runs in, with the files that it reads. */
interface Place {
  readonly folder: string
  readonly root: string
}

/** The package of an import: `effect` of `effect/Layer`, `@effect/sql-pg` of `@effect/sql-pg/PgClient`. */
const packageOf = (specifier: string) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier

/**
 * Makes a bundle of these modules, by their paths under the project, and what they import; names stay, for the log. Answers
 * the packages that it imports.
 */
export const makeBundle = async (
  place: Place,
  modules: Record<string, string>
): Promise<ReadonlyArray<string>> => {
  const outside = new Set<string>()
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(modules).map(([name, module]) => [name, join(project, module)])),
    platform: "node",
    // The sources are plain modules: settings for a checker of types change nothing.
    tsconfig: false,
    external: (id) => {
      if (!isBundled(id)) outside.add(id)
      return !isBundled(id)
    },
    plugins: [addressesOfSources(place)]
  })
  const { output } = await bundle.write({
    dir: place.folder,
    format: "esm",
    keepNames: true,
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } }
  })
  await bundle.close()
  // Otherwise Node.js compiles each file among the packages twice to find out that it is a module.
  await writeFile(join(place.folder, "package.json"), JSON.stringify({ type: "module" }))
  // The imports of a chunk lack the modules that it only exports again.
  const isImported = (id: string) => output.some((file) => file.type === "chunk" && file.code.includes(`"${id}"`))
  return [...outside].filter((id) => !isBuiltin(id) && isImported(id)).map(packageOf)
}
