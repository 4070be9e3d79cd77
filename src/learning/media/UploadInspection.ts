import { Effect, Stream } from "effect"
import type { Expected, FileMissing, Storage } from "../../platform/storage/Storage.ts"
import { fileTypeOf, isOfType } from "./FileType.ts"
import { imageSize } from "./ImageSize.ts"
import type { UploadOutcome } from "./MediaRepo.ts"

/** The bytes of a file that are read to find its type: the frame header of a photograph may come late. */
const startBytes = 64 * 1024

// Text may begin with letters that are the signature of another type, as a table of cars does with BM.
const isText = (bytes: Uint8Array) =>
  bytes.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d)

const foundIn = (mime: string, start: Uint8Array) =>
  fileTypeOf(mime)?.detectedTypes.length === 0 && isText(start)
    ? Effect.undefined
    : Effect.promise(async () => (await import("file-type")).fileTypeFromBuffer(start)).pipe(
      Effect.map((found) => found?.mime),
      // A file that the library cannot parse has no known type.
      Effect.catchDefect(() => Effect.undefined)
    )

const join = (chunks: ReadonlyArray<Uint8Array>) => new Uint8Array(Buffer.concat(chunks))

const failed = (error: string): UploadOutcome => ({ status: "failed", error })

/**
 * Compares the size and the first bytes of a settled file with the announced ones. Answers the outcome of its upload.
 */
export const inspectUpload = Effect.fn("UploadInspection.inspectUpload")(function*(
  storage: Storage["Service"],
  { key, mime, size_bytes }: Expected,
  settled: number
): Effect.fn.Return<UploadOutcome, FileMissing> {
  if (settled !== size_bytes) return failed(`expected ${size_bytes} bytes, found ${settled}`)
  const start = join(yield* Stream.runCollect(storage.read(key, { bytes: startBytes })))
  const found = yield* foundIn(mime, start)
  if (!isOfType(mime, found)) return failed(`expected ${mime}, found ${found ?? "an unknown type"}`)
  const { height, width } = imageSize(mime, start) ?? { height: null, width: null }
  return { status: "ready", width, height }
})
