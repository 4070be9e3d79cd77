import { globSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join, posix, relative } from "node:path"
import { rolldown } from "rolldown"

/** The texts of a package's files, by path. */
export type Files = ReadonlyMap<string, string>

/** Reads a whole folder. */
export const readAll = async (folder: string): Promise<Files> => {
  const paths = globSync("**", { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  return new Map(await Promise
    .all(paths.map(async (path) => [path, await readFile(join(folder, path), "utf8")] as const)))
}

/** The modules of a program, and its imports from other packages. */
export interface Graph {
  readonly modules: ReadonlyArray<string>
  readonly outside: ReadonlyArray<string>
}

const isOutside = (id: string) => !/^[./]/.test(id)

/** Follows the imports of these modules like a bundler, with another parser than the packing's. */
export const graphOf = async (folder: string, entries: ReadonlyArray<string>): Promise<Graph> => {
  const outside = new Set<string>()
  const bundle = await rolldown({
    input: entries.map((entry) => join(folder, entry)),
    platform: "neutral",
    treeshake: false,
    external: (id) => {
      if (isOutside(id)) outside.add(id)
      return isOutside(id)
    }
  })
  const { output } = await bundle.generate({ format: "esm" })
  await bundle.close()
  const modules = output.flatMap((file) => file.type === "chunk" ? file.moduleIds : [])
  return {
    modules: modules.filter((id) => id.startsWith(folder)).map((id) => relative(folder, id)).toSorted(),
    outside: [...outside].toSorted()
  }
}

const serverName = /(?:Http|Repo|Feature|Worker|Database|App)\.(?:js|d\.ts)$/
const serverText = /\bsql`|\bSqlClient\b|\bprocess\.env\b/
const serverImport = /^(?:node:|effect\/(?:sql|process|cluster|persistence|cli)\b|@effect\/)/

const code = (files: Files) => [...files].filter(([path]) => /\.(?:js|ts)$/.test(path))

const importsOf = (text: string) =>
  [...text.matchAll(/\b(?:from|import)\s*\(?\s*["']([^"']+)["']/g)].map(([, specifier = ""]) => specifier)

/** Code of the server in a client's files: by the file's name, its text or its imports. */
export const serverCode = (files: Files): ReadonlyArray<string> =>
  code(files).flatMap(([path, text]) => [
    ...serverName.test(path) ? [path] : [],
    ...serverText.test(text) ? [`${path} says ${serverText.exec(text)?.[0]}`] : [],
    ...importsOf(text).filter((specifier) => serverImport.test(specifier)).map((specifier) => `${path} > ${specifier}`)
  ])

/** The file of an import. A declaration imports the declaration of the module. */
const targetOf = (path: string, specifier: string) =>
  posix.join(posix.dirname(path), path.endsWith(".d.ts") ? specifier.replace(/\.js$/, ".d.ts") : specifier)

/** Imports of files that the package does not contain. */
export const missing = (files: Files): ReadonlyArray<string> =>
  code(files).flatMap(([path, text]) =>
    importsOf(text)
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => targetOf(path, specifier))
      .filter((target) => !files.has(target))
      .map((target) => `${path} > ${target}`)
  )
