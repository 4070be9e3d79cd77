import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { globSync } from "node:fs"
import { chmod, cp, mkdir, readFile, stat, writeFile } from "node:fs/promises"
import { join, relative } from "node:path"
import { promisify } from "node:util"
import { type Package, project, type Root } from "./Package.ts"

/** A tarball as npm publishes it. Sizes in bytes. */
export interface Packed {
  readonly filename: string
  readonly size: number
  readonly unpackedSize: number
  readonly files: number
  readonly sha256: string
}

const filesOf = (folder: string) =>
  globSync("**", { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))

// npm keeps the modes of files, and these depend on the user who packs.
const setModes = (folder: string) =>
  Promise.all(filesOf(folder).map((file) => chmod(join(folder, file), file.startsWith("bin/") ? 0o755 : 0o644)))

/** Fills this folder with a package, as npm unpacks it. */
export const layOut = async (one: Package, root: Root, folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true })
  const { files, ...manifest } = await one.build(folder, root)
  const { license, version } = root
  const common = { name: one.name, version, license, type: "module" }
  const listed = { ...common, ...manifest, files: [...Array.isArray(files) ? files : [], "CHANGELOG.md"] }
  await writeFile(join(folder, "package.json"), `${JSON.stringify(listed, null, 2)}\n`)
  await cp(join(project, "LICENSE"), join(folder, "LICENSE"))
  await cp(join(project, "packages/CHANGELOG.md"), join(folder, "CHANGELOG.md"))
  await cp(join(project, "packages", one.name, "README.md"), join(folder, "README.md"))
  await setModes(folder)
}

/** Builds a package in a folder under `staging` and packs it into `destination`. */
export const pack = async (one: Package, root: Root, staging: string, destination: string): Promise<Packed> => {
  const folder = join(staging, one.name)
  await layOut(one, root, folder)
  const filename = `${one.name}-${root.version}.tgz`
  const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", destination]
  await promisify(execFile)("npm", args, { cwd: folder })
  const tarball = await readFile(join(destination, filename))
  const sizes = await Promise.all(filesOf(folder).map(async (file) => (await stat(join(folder, file))).size))
  return {
    filename,
    size: tarball.length,
    unpackedSize: sizes.reduce((sum, size) => sum + size, 0),
    files: sizes.length,
    sha256: createHash("sha256").update(tarball).digest("hex")
  }
}
