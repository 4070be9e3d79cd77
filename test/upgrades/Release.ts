import { Effect, FileSystem } from "effect"
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { brotliDecompressSync } from "node:zlib"

const project = fileURLToPath(new URL("../..", import.meta.url))

const packed = (version: string) => new URL(`versions/${version}.tar.br`, import.meta.url)

/** True if the package of a version is kept. Only the version before this one has one. */
export const isPackaged = (version: string): boolean => existsSync(packed(version))

/** Unpacks the package of a released version beside the packages installed here. Answers the command that runs it. */
export const unpackRelease = Effect.fnUntraced(function*(version: string) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: `turma-${version}-` })
  const input = brotliDecompressSync(readFileSync(packed(version)))
  const unpacked = spawnSync("tar", ["xf", "-", "-C", folder], { input })
  if (unpacked.status !== 0) return yield* Effect.die(new Error(`tar: ${unpacked.stderr}`))
  yield* fs.symlink(`${project}node_modules`, `${folder}/node_modules`)
  return { cwd: folder, args: ["bundle/main.js"] }
})
