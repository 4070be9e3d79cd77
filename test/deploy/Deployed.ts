import { globSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseAllDocuments } from "yaml"

// The files below `deploy`, read and parsed.

/** The folder of the project. */
export const project = resolve(import.meta.dirname, "../..")

export type Json = Readonly<Record<string, unknown>>

export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The value at this path, by names and by indexes of lists. */
export const within = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>((at, key) => {
    if (Array.isArray(at) && typeof key === "number") return at[key]
    return isJson(at) ? at[`${key}`] : undefined
  }, value)

export const jsonAt = (value: unknown, ...path: ReadonlyArray<string | number>): Json => {
  const found = within(value, ...path)
  return isJson(found) ? found : {}
}

export const listAt = (value: unknown, ...path: ReadonlyArray<string | number>): ReadonlyArray<unknown> => {
  const found: unknown = within(value, ...path)
  return Array.isArray(found) ? found : []
}

/** A file of the project. */
export const read = (path: string): string => readFileSync(join(project, path), "utf8")

/** The paths of every file below `deploy`, without the files that `secrets.sh` may have made there. */
export const files: ReadonlyArray<string> = globSync("deploy/**/*", { cwd: project, withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.parentPath.includes("/secrets"))
  .map((entry) => join(entry.parentPath, entry.name).slice(join(project, "/").length))
  .concat(globSync("deploy/**/.*", { cwd: project }).filter((path) => !path.endsWith("/.env")))
  .toSorted()

/** The documents of a YAML file, with their references resolved. */
export const readYaml = (path: string): ReadonlyArray<unknown> => parseYaml(read(path))

export const parseYaml = (text: string): ReadonlyArray<unknown> =>
  parseAllDocuments(text, { merge: true }).map((document) => {
    if (document.errors.length > 0) throw new Error(document.errors.map(({ message }) => message).join("\n"))
    return document.toJS()
  })
