import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** What stands for `:name` in the addresses of an area, by `area/:name`. */
export type Ids = Readonly<Record<string, ReadonlyArray<string>>>

const file = fileURLToPath(new URL("../../src/console/app/Views.ts", import.meta.url))

/** The address of every view below a club's, out of the console's own list: a new view is in it without being named. */
export const viewPaths: ReadonlyArray<string> = [...readFileSync(file, "utf8").matchAll(/\{ path: "([^"]*)", load:/g)]
  .map(([, path = ""]) => path)

/** Those that name nothing: a club has them from the beginning. */
export const plainPaths: ReadonlyArray<string> = viewPaths.filter((path) => !path.includes(":"))

/** Every address of a view with what it names. */
const addressesOf = (path: string, ids: Ids): ReadonlyArray<string> => {
  const [area = ""] = path.split("/")
  return path.split("/").reduce<ReadonlyArray<string>>((begun, part) => {
    const known = part.startsWith(":") ? ids[`${area}/${part}`] : [part]
    if (known === undefined) return assert.fail(`Say in the test's club what stands for ${part} in ${path}`)
    return begun.flatMap((address) => known.map((one) => address === "" ? one : `${address}/${one}`))
  }, [""])
}

/** Every address of every view. */
export const allAddresses = (
  ids: Ids
): ReadonlyArray<string> => [...new Set(viewPaths.flatMap((path) => addressesOf(path, ids)))]

const patterns = viewPaths.map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`) }))

/** Which view an address below a club's shows: the first that fits, as in the console. */
export const viewOf = (address: string): string | undefined =>
  patterns.find(({ pattern }) => pattern.test(address))?.path
