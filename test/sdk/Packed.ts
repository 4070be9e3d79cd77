import { execFile } from "node:child_process"
import { cp, mkdir, readFile, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { promisify } from "node:util"

const project = resolve(import.meta.dirname, "../..")

/** Runs a program; one that fails rejects with what it wrote. */
export const run = async (program: string, args: ReadonlyArray<string>, cwd: string): Promise<string> => {
  try {
    return (await promisify(execFile)(program, args, { cwd, maxBuffer: 64 * 1024 * 1024 })).stdout
  } catch (error) {
    const said = error instanceof Error && "stdout" in error && "stderr" in error
      ? `${error.stdout}${error.stderr}`
      : ""
    throw new Error(`${program} ${args.join(" ")} failed:\n${said}`, { cause: error })
  }
}

const configuration = (outDir: string) => ({
  extends: join(project, "tsconfig.json"),
  compilerOptions: {
    types: [],
    lib: ["ES2024", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
    target: "ES2022",
    noEmit: false,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    rootDir: join(project, "src/sdk"),
    outDir
  },
  files: [join(project, "src/sdk/index.ts")],
  include: []
})

const importOfSource = /(?<=\bfrom ")(\.[^"]+)\.ts(?=")/g

const nameJavaScript = async (file: string) =>
  writeFile(file, (await readFile(file, "utf8")).replaceAll(importOfSource, "$1.js"))

/** The SDK compiled and packed in this folder, as it is published: the way of its tarball. */
export const packSdk = async (folder: string): Promise<string> => {
  const home = join(folder, "turma-sdk")
  await mkdir(home)
  const config = join(folder, "tsconfig.json")
  await writeFile(config, JSON.stringify(configuration(join(home, "dist"))))
  await run(process.execPath, [
    join(project, "node_modules/typescript/bin/tsc"),
    "--project",
    config,
    "--listEmittedFiles"
  ], project)
    .then((said) =>
      Promise.all([...said.matchAll(/^TSFILE: (.+\.d\.ts)$/gm)].map(([, file = ""]) => nameJavaScript(file)))
    )
  const manifest = {
    name: "turma-sdk",
    version: "0.0.0",
    type: "module",
    sideEffects: false,
    exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
    files: ["dist"]
  }
  await writeFile(join(home, "package.json"), JSON.stringify(manifest))
  await cp(join(project, "LICENSE"), join(home, "LICENSE"))
  await run("npm", ["pack", "--silent", "--pack-destination", folder], home)
  return join(folder, "turma-sdk-0.0.0.tgz")
}
