import { createHash } from "node:crypto"
import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** The folder of the console's sources. */
export const consoleFolder = fileURLToPath(new URL("../", import.meta.url))

const project = join(consoleFolder, "../..")

/** The sources of the build. The lock file stands for the packages. */
const sources = (root: string) =>
  globSync([
    "src/console/{app,build,client,parts,style,views}/**/*.*",
    "src/platform/pages/style/*.css",
    "src/sdk/**/*.ts",
    "package-lock.json"
  ], { cwd: root }).toSorted()

const fingerprint = (root: string) => {
  const hash = createHash("sha256")
  for (const file of sources(root)) hash.update(`${file}\n`).update(readFileSync(join(root, file)))
  return hash.digest("hex").slice(0, 16)
}

/** In a package there are no sources, and this is all that there is. */
const ofPackage = join(consoleFolder, "built")

/** The folder of the build of the current sources of the project in `root`. */
export const builtFolder = (root = project): string =>
  existsSync(ofPackage) ? ofPackage : join(root, "node_modules", ".cache", "turma-console", fingerprint(root))
