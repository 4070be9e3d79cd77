import { Effect } from "effect"
import { type Expected, Storage, StorageKey } from "../../../src/platform/storage/Storage.ts"
import { partSize } from "../../../src/platform/storage/UploadInParts.ts"
import { Driver } from "./Drivers.ts"

/** A file of three parts; the last is short. Each part has a letter of its own. */
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

/** Which parts are there, and the address of each of the others. */
export const resumed = Effect.fnUntraced(function*(expected: Expected) {
  const storage = yield* Storage
  const driver = yield* Driver
  const { missing, received } = yield* storage.resume(expected)
  return { received, missing, urls: new Map(missing.map(({ number, url }) => [number, driver.reach(url)])) }
})

/** Sends a body to an address; answers the status. */
export const put = (url = "", body: Uint8Array | string = "", headers: Record<string, string> = {}) =>
  Effect.promise(async () => {
    const response = await fetch(url, { method: "PUT", body: Buffer.from(body), headers, redirect: "error" })
    await response.arrayBuffer()
    return response.status
  })

/** Sends these parts, each with its own letter or the bytes that are given. */
export const sendParts = Effect.fnUntraced(function*(expected: Expected, ...numbers: ReadonlyArray<number>) {
  const { urls } = yield* resumed(expected)
  return yield* Effect.forEach(numbers, (number) => put(urls.get(number), threeParts.parts[number - 1]))
})
