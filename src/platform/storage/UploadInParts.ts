import { DateTime, Effect, type Redacted } from "effect"
import { type Part, type UploadInParts, uploadLifetime } from "./Storage.ts"

/**
 * The size of each part of an upload except the last, in bytes. S3 takes at least 5 MiB. Uploads in progress with
 * another part size are lost: a version that changes this says so.
 */
export const partSize = 16 * 1024 * 1024

/** The most addresses of one answer. A client that has used them asks for the next. */
const addressesAtOnce = 32

/** The parts of a file of this size. */
export const partsOf = (size_bytes: number): ReadonlyArray<Part> =>
  Array.from({ length: Math.ceil(size_bytes / partSize) }, (_, index) => {
    const offset = index * partSize
    return { number: index + 1, offset, size_bytes: Math.min(partSize, size_bytes - offset) }
  })

/** The answer to a client about an upload, of these parts so far. The addresses live for `uploadLifetime`. */
export const uploadInParts = Effect.fnUntraced(function*(
  size_bytes: number,
  isReceived: (number: number) => boolean,
  addressOf: (part: Part, expires_at: DateTime.Utc) => Effect.Effect<Redacted.Redacted>
): Effect.fn.Return<UploadInParts> {
  const parts = partsOf(size_bytes)
  // S3 counts whole seconds.
  const at = DateTime.startOf(yield* DateTime.now, "second")
  const expires_at = DateTime.addDuration(at, uploadLifetime)
  const next = parts.filter(({ number }) => !isReceived(number)).slice(0, addressesAtOnce)
  return {
    method: "PUT",
    part_size: partSize,
    part_count: parts.length,
    received: parts.map(({ number }) => number).filter(isReceived),
    missing: yield* Effect.forEach(
      next,
      (part) => Effect.map(addressOf(part, expires_at), (url) => ({ ...part, url }))
    ),
    expires_at
  }
})
