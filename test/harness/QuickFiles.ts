import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** Words of a test that needs a server, a process or a socket. */
const slow = /\binject\b|child_process|node:(?:http|net|tls)|embeddedPostgres|startRedis/

const importsOf = (file: string, text: string) =>
  [...text.matchAll(/(?:from|import\(|import) ?"(\.[^"]+\.ts)"/g)]
    .map(([, path = ""]) => join(dirname(file), path))
    .filter((path) => path.startsWith("test/") && existsSync(path))

/** True if this file and the test files that it imports are quick. */
const isQuick = (file: string, seen = new Set<string>()): boolean => {
  if (seen.has(file)) return true
  seen.add(file)
  const text = readFileSync(file, "utf8")
  return !slow.test(text) && importsOf(file, text).every((imported) => isQuick(imported, seen))
}

/**
 * The tests of pure rules, schemas and the contract: their imports need no server, process or browser. Paths start at
 * the root of the project, which is the working directory.
 */
export const quickFiles = (): ReadonlyArray<string> =>
  globSync("test/**/*.test.ts", { exclude: (name) => name === "node_modules" }).filter((file) => isQuick(file))
