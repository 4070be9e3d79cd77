import { Effect } from "effect"
import { type Expected, Storage, StorageKey } from "../../../src/platform/storage/Storage.ts"
import { partSize } from "../../../src/platform/storage/UploadInParts.ts"
import { Driver } from "./Drivers.ts"

/** A file of three parts, each with its own letter. The last part is short. */
export const threeParts = {
  size_bytes: 2 * partSize + 5,
  parts: [Buffer.alloc(partSize, "a"), Buffer.alloc(partSize, "b"), Buffer.from("ccccc")]
} as const

/** The upload of this file. */
export const expectedAt = (name: string): Expected => ({
  key: StorageKey.make(`club/${name}`),
  mime: "text/plain",
  size_bytes: threeParts.size_bytes
})

/** The received parts, and the addresses of the missing ones. */
export const resumed = Effect.fnUntraced(function*(expected: Expected) {
  const storage = yield* Storage
  const driver = yield* Driver
  const { missing, received } = yield* storage.resume(expected)
  return { received, missing, urls: new Map(missing.map(({ number, url }) => [number, driver.reach(url)])) }
})

/** Sends a body to an address and returns the status. */
export const put = (url = "", body: Uint8Array | string = "", headers: Record<string, string> = {}) =>
  Effect.promise(async () => {
    const response = await fetch(url, { method: "PUT", body: Buffer.from(body), headers, redirect: "error" })
    await response.arrayBuffer()
    return response.status
  })

/** Sends these parts, each with its own letter. */
export const sendParts = Effect.fnUntraced(function*(expected: Expected, ...numbers: ReadonlyArray<number>) {
  const { urls } = yield* resumed(expected)
  return yield* Effect.forEach(numbers, (number) => put(urls.get(number), threeParts.parts[number - 1]))
})
