import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { oncePerRun } from "../harness/OncePerRun.ts"
import { run } from "../harness/Programs.ts"

// The packages as npm would publish them, packed once in a run of tests, and projects that install them.

/** The folder of the project. */
export const project = resolve(import.meta.dirname, "../..")

/** For compilers that soon end: they make little that is forgotten before. */
export const withoutCollection = { GOGC: "off" }

/** Packs everything into this folder, with files made under this umask. */
export const packInto = (folder: string, umask = "022") =>
  run("/bin/sh", ["-c", `umask ${umask}; exec "$0" packages/make.ts "$1"`, process.execPath, folder], {
    cwd: project,
    env: withoutCollection
  })

/** The folder with the tarballs and `SHA256SUMS`. */
export const packed = oncePerRun("packed", packInto)

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

/** A project with only the packages that were installed into it. */
export interface EmptyProject {
  readonly folder: string
  readonly remove: () => Promise<void>
}

const installInto = async (folder: string, specs: ReadonlyArray<string>, dependencies = {}) => {
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ name: "empty", private: true, type: "module", dependencies })
  )
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", ...specs], {
    cwd: folder
  })
}

/** Copies an installed package, which costs less than to unpack its tarball again. */
const copyInstalled = async (name: string, folder: string) => {
  const from = join(project, "node_modules", name)
  const to = join(folder, "node_modules", name)
  await mkdir(to, { recursive: true })
  await run("cp", ["-R", join(from, "package.json"), join(from, "dist"), to], { cwd: folder })
  const { version } = JSON.parse(await readFile(join(from, "package.json"), "utf8"))
  return { [name]: version }
}

/**
 * Installs one of our packages into an empty project in this folder. The project may have some of our dependencies
 * already. Scripts of packages do not run: a newer npm runs only those that its user allows.
 */
export const installedProject = async (
  own: string,
  { beside = [], parent = tmpdir() }: { readonly beside?: ReadonlyArray<string>; readonly parent?: string } = {}
): Promise<EmptyProject> => {
  const folder = await realpath(await mkdtemp(join(parent, "turma-empty-")))
  const there = await Promise.all(beside.map((name) => copyInstalled(name, folder)))
  await installInto(folder, [await tarballOf(own)], Object.assign({}, ...there))
  return { folder, remove: () => rm(folder, { recursive: true }) }
}

/** The compilers that check the packages. */
const compilers = ["typescript@7.0.2", "typescript5@npm:typescript@5.9.3", "@types/node@24.19.2"]

/** The oldest Node that the packages support, besides the project's, and another runtime. */
const runtimes = [`other-node@npm:node-${process.platform}-${process.arch}@22.23.3`, "deno@2.9.6"]

/**
 * A project with the SDK, the compilers and the runtimes, installed once in a run. Programs in a folder of it find all
 * of them, and so does a project in such a folder.
 */
export const sharedProject = async (): Promise<string> =>
  oncePerRun(
    "installed",
    async (folder) => installInto(folder, [await tarballOf("turma-sdk"), ...compilers, ...runtimes])
  )

/** Its programs. */
export const node22In = (shared: string) => join(shared, "node_modules/other-node/bin/node")
export const denoIn = (shared: string) => join(shared, "node_modules/.bin/deno")

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
