import { globSync } from "node:fs"
import { cp, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { buildPages } from "../../src/browser/build/Build.ts"
import { makeBundle } from "../../src/cli/bundle/Bundle.ts"
import { contractDocument } from "../../src/cli/bundle/contractDocument.ts"
import { makeSdkContract } from "../../src/cli/sdk/SdkContract.ts"
import { type Package, project } from "../Package.ts"

/** Files beside the sources that they read when they run: style sheets, scripts of pages, guides, migrations. */
const isRead = (path: string) =>
  path.startsWith("src/guides/") ||
  !/\.(?:tsx?|md)$|\/tsconfig\.json$|\/cli\/turma\.js$|^src\/(?:browser|classroom|console)\//.test(path)

const filesRead = () => globSync(["src/**/*.*", "migrations/*.sql"], { cwd: project }).filter(isRead)

/** The platforms that Node publishes a package for, of those that Turma runs on. */
const platforms = ["linux-x64", "linux-arm64"]

/** The versions that are installed here, of every package. */
const installedVersions = async () => {
  const { packages } = JSON.parse(await readFile(join(project, "package-lock.json"), "utf8"))
  return (name: string): string => packages[`node_modules/${name}`].version
}

/**
 * Packages that are in the bundle or in the pages, or that built them, and the one that brings the checkout its Node.
 */
const isLeftBehind = (name: string) => /^(?:effect|@effect\/.*|rolldown|node|preact|@preact\/.*|uplot)$/.test(name)

/** The service and the command line. */
export const service: Package = {
  name: "turma",
  build: async (folder, { dependencies }) => {
    const imported = await makeBundle({ folder: join(folder, "bundle"), root: folder }, {
      turma: "src/cli/main.ts",
      main: "src/main.ts",
      child: "src/cli/child.ts",
      documentation: "src/cli/documentation.ts"
    })
    await writeFile(join(folder, "bundle/openapi.json"), JSON.stringify(contractDocument))
    await makeSdkContract()
    await buildPages(join(folder, "src/browser/built"))
    await Promise.all(filesRead().map((file) => cp(join(project, file), join(folder, file))))
    await cp(join(import.meta.dirname, "turma.js"), join(folder, "bin/turma.js"))
    const versionOf = await installedVersions()
    const named = Object.keys(dependencies).filter((name) => !isLeftBehind(name))
    const needed = [...new Set([...imported, ...named])].toSorted()
    return {
      description: "The API of a learning-community platform: clubs that administrators run and students learn in",
      bin: { turma: "bin/turma.js" },
      // The Node that starts it; an older one starts the Node below.
      engines: { node: ">=20" },
      os: ["linux"],
      files: ["bin", "bundle", "migrations", "src"],
      dependencies: Object.fromEntries(needed.map((name) => [name, versionOf(name)])),
      // By themselves, since `node` downloads them by a script, which npm does not run for everybody.
      optionalDependencies: Object.fromEntries(platforms.map((name) => [`node-${name}`, versionOf("node")]))
    }
  }
}
