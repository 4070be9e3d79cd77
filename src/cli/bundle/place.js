// The path of the bundle of the current sources, if it exists. JavaScript, so that nothing is compiled to find it.
import { createHash } from "node:crypto"
import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** The project's folder. */
export const project = fileURLToPath(new URL("../../../", import.meta.url))

/** The files that are generated from the contract for the SDK, whenever it needs them. */
const isMade = (/** @type {string} */ file) => /^sdk\/contract\/(?:Resources|Routes|Schemas)\.ts/.test(file)

/** Pages for readers do not run. */
const isSource = (/** @type {string} */ file) => !file.endsWith(".md") && !isMade(file)

/**
 * The sources as they are now, by names, sizes and times, which takes 10 ms; the contents take 45. A copy without its times
 * runs from its sources.
 */
export const fingerprint = () => {
  const sources = readdirSync(join(project, "src"), { recursive: true, encoding: "utf8" }).filter(isSource).toSorted()
  const hash = createHash("sha256")
  for (const file of ["package-lock.json", ...sources.map((source) => join("src", source))]) {
    const found = statSync(join(project, file), { throwIfNoEntry: false })
    // The time of a folder also changes with files that have come and gone.
    if (found?.isDirectory()) continue
    hash.update(`${file} ${found?.size} ${found?.mtimeMs}\n`)
  }
  return hash.digest("hex").slice(0, 16)
}

/** In a package there are no sources, and this is all that there is to run. */
const ofPackage = join(project, "bundle")

/** A folder for each state of the sources, so that what runs keeps its files. An installation of the packages empties all. */
export const bundleFolder = () =>
  existsSync(ofPackage) ? ofPackage : join(project, "node_modules", ".cache", "turma", fingerprint())
