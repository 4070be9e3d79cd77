import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { readDocument } from "../../operations/documentation/ApiDocument.ts"
import { fingerprint, project } from "../bundle/place.js"
import { sdkFileNames, sdkFiles } from "./SdkFiles.ts"

const placeOf = (name: string) => join(project, "src/sdk/contract", name)

/** Holds a hash of the sources and of the files generated from them. */
const stamp = join(project, "node_modules/.cache/turma-sdk")

const bytesAt = (path: string) => existsSync(path) ? readFileSync(path) : Buffer.alloc(0)

const sumNow = () => {
  const hash = createHash("sha256").update(fingerprint())
  for (const name of sdkFileNames) hash.update(bytesAt(placeOf(name)))
  return hash.digest("hex")
}

const write = (path: string, text: string) => {
  if (bytesAt(path).equals(Buffer.from(text))) return
  // Another process may read it at this moment.
  const unfinished = `${path}-${process.pid}`
  writeFileSync(unfinished, text)
  renameSync(unfinished, path)
}

/** Generates the contract's part of turma-sdk, unless it exists for the current sources. */
export const makeSdkContract = async (): Promise<void> => {
  if (bytesAt(stamp).equals(Buffer.from(sumNow()))) return
  const { contractDocument } = await import("../bundle/contractDocument.ts")
  const files = sdkFiles(readDocument(JSON.stringify(contractDocument)))
  for (const name of sdkFileNames) write(placeOf(name), files[name])
  mkdirSync(dirname(stamp), { recursive: true })
  write(stamp, sumNow())
}
