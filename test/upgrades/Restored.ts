import { readdirSync, readFileSync } from "node:fs"
import { brotliDecompressSync } from "node:zlib"

/** The key that seals secrets in the kept databases. It protects nothing else. */
export const key = Buffer.alloc(32, 7).toString("base64")

/** The placeholder for the address of the webhook receiver in a kept database. */
export const receiverAddress = "localhost:1"

/** The versions that have a kept database. */
export const keptVersions = (): ReadonlyArray<string> =>
  readdirSync(new URL("versions", import.meta.url)).flatMap((file) => /^(.+)\.sql\.br$/.exec(file)?.[1] ?? [])
    .toSorted()

/** The database of a released version as SQL, with the address of this receiver, and the time of the dump. */
export const keptDatabase = (version: string, receiver: string) => {
  const text = brotliDecompressSync(readFileSync(new URL(`versions/${version}.sql.br`, import.meta.url))).toString()
  const left = /^-- Left at (\S+)$/m.exec(text)?.[1] ?? ""
  return { left: Date.parse(left), sql: text.replaceAll(receiverAddress, new URL(receiver).host) }
}
