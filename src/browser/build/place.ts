import { createHash } from "node:crypto"
import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** The pages that run in a browser. Each has a folder of this name under `src`, and addresses below it. */
export const pageNames = ["console", "classroom"] as const

/** The name of a page that runs in a browser. */
export type PageName = (typeof pageNames)[number]

/** The folder of all sources. */
export const sourceFolder = fileURLToPath(new URL("../../", import.meta.url))

const project = join(sourceFolder, "..")

/** The sources of the build. The lock file stands for the packages. */
const sources = (root: string) =>
  globSync([
    "src/browser/{build,client,parts,style}/**/*.*",
    "src/{console,classroom}/**/*.*",
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
const ofPackage = join(sourceFolder, "browser/built")

/** The folder of the builds of the current sources of the project in `root`. It has a folder for each page. */
export const builtFolder = (root = project): string =>
  existsSync(ofPackage) ? ofPackage : join(root, "node_modules", ".cache", "turma-pages", fingerprint(root))
