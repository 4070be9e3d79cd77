import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { buildPages } from "./Build.ts"

/** Makes the files of all pages in this folder, if they do not exist. It needs the SDK's files of the contract. */
export const makePages = async (folder: string): Promise<void> => {
  if (existsSync(folder)) return
  mkdirSync(dirname(folder), { recursive: true })
  const unfinished = `${folder}-${process.pid}`
  try {
    await buildPages(unfinished)
    renameSync(unfinished, folder)
  } catch (error) {
    // Somebody else may have made it meanwhile.
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(unfinished, { force: true, recursive: true })
  }
}
