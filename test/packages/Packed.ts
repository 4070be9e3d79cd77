import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readFile, realpath, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { run } from "../harness/Programs.ts"

// The packages as npm would publish them, packed once in a run of tests, and projects that install them.

/** The folder of the project. */
export const project = resolve(import.meta.dirname, "../..")

/** Packs everything into this folder, with files made under this umask. */
export const packInto = (folder: string, umask = "022") =>
  run("/bin/sh", ["-c", `umask ${umask}; exec "$0" packages/make.ts "$1"`, process.execPath, folder], { cwd: project })

const untilThere = async (done: string, failed: string): Promise<string> => {
  if (existsSync(done)) return done
  if (existsSync(failed)) throw new Error(await readFile(failed, "utf8"))
  await sleep(100)
  return untilThere(done, failed)
}

// The folder for temporary files belongs to this run, so every worker finds the packages that one of them has packed.
const packOnce = async (): Promise<string> => {
  const done = join(tmpdir(), "packed")
  const failed = join(tmpdir(), "packed-failed")
  const isFirst = await mkdir(join(tmpdir(), "packing")).then(() => true, () => false)
  if (isFirst) {
    const unfinished = await mkdtemp(join(tmpdir(), "unfinished-"))
    await packInto(unfinished).then(() => rename(unfinished, done), (error) => writeFile(failed, String(error)))
  }
  return untilThere(done, failed)
}

/** The folder with the tarballs and `SHA256SUMS`. */
export const packed = packOnce()

const manifestOf = async (): Promise<{ readonly version: string }> =>
  JSON.parse(await readFile(join(project, "package.json"), "utf8"))

/** The tarball of a package. */
export const tarballOf = async (name: string) => join(await packed, `${name}-${(await manifestOf()).version}.tgz`)

/** A new folder, by its real path. It is removed after its use. */
export const withFolder = async <A>(use: (folder: string) => Promise<A>): Promise<A> => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "turma-")))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Unpacks a tarball, and answers the folder of its files. */
export const unpack = async (name: string, folder: string) => {
  await run("tar", ["-xzf", await tarballOf(name), "-C", folder], { cwd: folder })
  return join(folder, "package")
}

/** A Node of this version from the registry, under a new name. */
export const otherNode = (version: string) => {
  const platform = `${process.platform}-${process.arch}`
  return { spec: `other-node@npm:node-${platform}@${version}`, program: "node_modules/other-node/bin/node" }
}

/** A project with only the packages that were installed into it. */
export interface EmptyProject {
  readonly folder: string
  readonly remove: () => Promise<void>
}

/**
 * Installs some of our packages, and others of the registry, into an empty project. Scripts of packages do not run: a
 * newer npm runs only those that its user allows.
 */
export const installedProject = async (
  own: ReadonlyArray<string>,
  others: ReadonlyArray<string> = []
): Promise<EmptyProject> => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "turma-empty-")))
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }))
  const specs = [...await Promise.all(own.map(tarballOf)), ...others]
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", ...specs], {
    cwd: folder
  })
  return { folder, remove: () => rm(folder, { recursive: true }) }
}

const registryAnswers = () => run("npm", ["ping"], { cwd: project }).then(() => true, () => false)

/** True if nothing can be installed here, so that such tests are skipped. Never true with CI=true. */
export const withoutRegistry = process.env["CI"] !== "true" && !(await registryAnswers())

if (withoutRegistry) {
  process.stderr.write("npm reaches no registry, so nothing is installed and its tests are skipped\n")
}

/** The programs in the README of a package. */
export const programsOf = async (name: string): Promise<ReadonlyArray<string>> => {
  const readme = await readFile(join(project, "packages", name, "README.md"), "utf8")
  return [...readme.matchAll(/```ts\n([^]*?)```/g)].map(([, program = ""]) => program)
}

/** The first of them, for a service at this address. */
export const programOf = async (name: string, url: string) => {
  const [program = ""] = await programsOf(name)
  return program.replace("http://127.0.0.1:3000", url)
}
