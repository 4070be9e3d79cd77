// Makes the console's files, if they are not there: for who asks for them first, for the bundle of the service, and for its
// package.
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { buildConsole } from "./Build.ts"
import { builtFolder } from "./place.ts"

const folder = process.argv[2] ?? builtFolder()

if (!existsSync(folder)) {
  mkdirSync(dirname(folder), { recursive: true })
  const unfinished = `${folder}-${process.pid}`
  try {
    await buildConsole(unfinished)
    renameSync(unfinished, folder)
  } catch (error) {
    // Somebody else may have made it meanwhile.
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(unfinished, { force: true, recursive: true })
  }
}
