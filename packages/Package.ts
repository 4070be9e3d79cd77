import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { promisify } from "node:util"

/** The folder of the project. */
export const project = resolve(import.meta.dirname, "..")

/** The fields of package.json that packages repeat. */
export interface Root {
  readonly version: string
  readonly license: string
  readonly dependencies: Readonly<Record<string, string>>
}

/** package.json of the project: every package has its version. */
export const readRoot = async (): Promise<Root> => JSON.parse(await readFile(join(project, "package.json"), "utf8"))

/** The fields of a package for npm, beside the ones that all have in common. */
export interface Manifest {
  readonly description: string
  readonly [field: string]: unknown
}

/**
 * A package: its name, which its folder with the README also has, and the function that fills a folder with its files.
 */
export interface Package {
  readonly name: string
  readonly build: (folder: string, root: Root) => Promise<Manifest>
}

/** Runs a script of Node; one that fails rejects with what it wrote. */
export const runNode = async (script: string, args: ReadonlyArray<string>, cwd: string): Promise<string> => {
  try {
    return (await promisify(execFile)(process.execPath, [script, ...args], { cwd })).stdout
  } catch (error) {
    const said = error instanceof Error && "stdout" in error && "stderr" in error
      ? `${error.stdout}${error.stderr}`
      : ""
    throw new Error(`${script} failed: ${said}`, { cause: error })
  }
}
