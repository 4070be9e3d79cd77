// npm run release:keep: keeps the package of this version, which tests of the next one run beside it. It also keeps a
// database of this version, which all later ones upgrade. Run it in the released commit. Remove the package of the
// version before, and keep every database. Add the exceptions of the new database to Restored.test.ts. For a version
// with a kept package, it builds the database anew.
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { brotliCompressSync, constants } from "node:zlib"
import { version } from "../../src/platform/version.ts"
import { dumpOf } from "./Dump.ts"
import { unpackRelease } from "./Release.ts"

const compressed = (whole: Buffer) =>
  brotliCompressSync(whole, {
    params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: whole.length }
  })

const keepPackage = () => {
  const folder = mkdtempSync(join(tmpdir(), "turma-release-"))
  try {
    const make = fileURLToPath(new URL("../../packages/make.ts", import.meta.url))
    execFileSync(process.execPath, [make, folder], { stdio: "inherit" })
    execFileSync("tar", ["xzf", join(folder, `turma-${version}.tgz`), "-C", folder])
    const parts = ["bin", "bundle", "migrations", "src", "package.json"]
    const same = ["--sort=name", "--owner=0", "--group=0", "--mtime=2000-01-01T00:00Z"]
    const maxBuffer = 1024 ** 3
    const packed = execFileSync("tar", ["cf", "-", ...same, ...parts], { cwd: join(folder, "package"), maxBuffer })
    writeFileSync(new URL(`versions/${version}.tar.br`, import.meta.url), compressed(packed))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const keepDatabase = Effect.fnUntraced(function*(of: string) {
  const { at, sql } = yield* Effect.flatMap(unpackRelease(of), dumpOf)
  const text = Buffer.from(`-- Left at ${at}\n${sql}`)
  writeFileSync(new URL(`versions/${of}.sql.br`, import.meta.url), compressed(text))
}, Effect.scoped)

const [given = version] = process.argv.slice(2)
if (given === version) keepPackage()
await Effect.runPromise(Effect.provide(keepDatabase(given), NodeServices.layer))
