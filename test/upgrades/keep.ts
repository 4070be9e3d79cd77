// npm run release:keep: keeps the package of this version, which tests of the next one run beside it. Run it in the commit
// that is released, and take the package of the version before away.
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { brotliCompressSync, constants } from "node:zlib"
import { version } from "../../src/platform/version.ts"

const folder = mkdtempSync(join(tmpdir(), "turma-release-"))
try {
  const make = fileURLToPath(new URL("../../packages/make.ts", import.meta.url))
  execFileSync(process.execPath, [make, folder], { stdio: "inherit" })
  execFileSync("tar", ["xzf", join(folder, `turma-${version}.tgz`), "-C", folder])
  const parts = ["bin", "bundle", "migrations", "src", "package.json"]
  const same = ["--sort=name", "--owner=0", "--group=0", "--mtime=2000-01-01T00:00Z"]
  const maxBuffer = 1024 ** 3
  const packed = execFileSync("tar", ["cf", "-", ...same, ...parts], { cwd: join(folder, "package"), maxBuffer })
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: packed.length }
  writeFileSync(new URL(`versions/${version}.tar.br`, import.meta.url), brotliCompressSync(packed, { params }))
} finally {
  rmSync(folder, { recursive: true })
}
