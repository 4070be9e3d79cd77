import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** The ids that replace `:name` in the addresses of an area, by `area/:name`. */
export type Ids = Readonly<Record<string, ReadonlyArray<string>>>

const file = fileURLToPath(new URL("../../src/console/app/Views.ts", import.meta.url))

/** The address of every view below a club's, read from the console's own list, so a new view needs no entry here. */
export const viewPaths: ReadonlyArray<string> = [...readFileSync(file, "utf8").matchAll(/\{ path: "([^"]*)", load:/g)]
  .map(([, path = ""]) => path)

/** The views without an id in their address: every club has them from the beginning. */
export const plainPaths: ReadonlyArray<string> = viewPaths.filter((path) => !path.includes(":"))

/** Every address of a view, with the ids in place of its names. */
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

/** The view at an address below a club's: the first that fits, as in the console. */
export const viewOf = (address: string): string | undefined =>
  patterns.find(({ pattern }) => pattern.test(address))?.path
