import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** What makes a test wait for more than its own thread: a server that was started for the tests, a process, a socket. */
const slow = /\binject\b|child_process|node:(?:http|net|tls)|embeddedPostgres|startRedis/

const importsOf = (file: string, text: string) =>
  [...text.matchAll(/(?:from|import\(|import) ?"(\.[^"]+\.ts)"/g)]
    .map(([, path = ""]) => join(dirname(file), path))
    .filter((path) => path.startsWith("test/") && existsSync(path))

/** Whether neither a file nor anything of the tests that it imports is slow. */
const isQuick = (file: string, seen = new Set<string>()): boolean => {
  if (seen.has(file)) return true
  seen.add(file)
  const text = readFileSync(file, "utf8")
  return !slow.test(text) && importsOf(file, text).every((imported) => isQuick(imported, seen))
}

/**
 * The tests of pure rules, schemas and the contract: those that need no server, process or browser, told by what they
 * import. Paths from the root of the project, which is where this runs.
 */
export const quickFiles = (): ReadonlyArray<string> =>
  globSync("test/**/*.test.ts", { exclude: (name) => name === "node_modules" }).filter((file) => isQuick(file))
