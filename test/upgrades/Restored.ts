import { readdirSync, readFileSync } from "node:fs"
import { brotliDecompressSync } from "node:zlib"

/** Seals what is secret in the databases that are kept. It guards nothing else. */
export const key = Buffer.alloc(32, 7).toString("base64")

/** Stands in a kept database where the address of its receiver of webhooks was. */
export const receiverAddress = "localhost:1"

/** The versions whose database is kept. */
export const keptVersions = (): ReadonlyArray<string> =>
  readdirSync(new URL("versions", import.meta.url)).flatMap((file) => /^(.+)\.sql\.br$/.exec(file)?.[1] ?? [])
    .toSorted()

/** The database of a version that was released, as SQL, with the receiver there; and when it was left. */
export const keptDatabase = (version: string, receiver: string) => {
  const text = brotliDecompressSync(readFileSync(new URL(`versions/${version}.sql.br`, import.meta.url))).toString()
  const left = /^-- Left at (\S+)$/m.exec(text)?.[1] ?? ""
  return { left: Date.parse(left), sql: text.replaceAll(receiverAddress, new URL(receiver).host) }
}
