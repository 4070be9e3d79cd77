// npm run packages [folder]: packs the client, the SDK and the service as npm would publish them, and says what they weigh.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { pack, type Packed } from "./pack.ts"
import { type Package, project, readRoot } from "./Package.ts"
import { client } from "./turma-client/build.ts"
import { sdk } from "./turma-sdk/build.ts"
import { service } from "./turma/build.ts"

const packages: ReadonlyArray<Package> = [client, sdk, service]

const kilobytes = (bytes: number) => `${Math.round(bytes / 1000).toLocaleString("en")} kB`

const describe = ({ files, filename, size, unpackedSize }: Packed) =>
  `${filename}: ${kilobytes(size)}, ${kilobytes(unpackedSize)} unpacked, ${files} files\n`

const make = async (destination: string) => {
  await mkdir(destination, { recursive: true })
  const root = await readRoot()
  // The checkout never holds compiled files beside their sources.
  const staging = await mkdtemp(join(tmpdir(), "turma-packages-"))
  try {
    const packed = await Promise.all(packages.map((one) => pack(one, root, staging, destination)))
    const sums = packed.map(({ filename, sha256 }) => `${sha256}  ${filename}\n`)
    await writeFile(join(destination, "SHA256SUMS"), sums.join(""))
    for (const one of packed) process.stdout.write(describe(one))
    process.stdout.write(`They are in ${destination}, with their SHA-256 in SHA256SUMS.\n`)
  } finally {
    await rm(staging, { recursive: true })
  }
}

await make(resolve(process.argv[2] ?? join(project, "packages/packed")))
