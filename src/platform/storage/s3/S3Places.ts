import { Effect, Option, Schema } from "effect"
import type { StorageKey } from "../Storage.ts"
import type { Bucket } from "../StorageSettings.ts"
import type { S3Client } from "./S3Client.ts"
import type { S3Failed } from "./S3Failed.ts"

/** Where files are in a bucket. */
export const placesOf = ({ prefix }: Bucket) => ({
  uploads: `${prefix}uploads/`,
  // As on a disk: one name for each key, and all of them in one place.
  uploadOf: (key: StorageKey) => `${prefix}uploads/${key.replaceAll("/", ".")}`,
  settledAt: (key: StorageKey) => `${prefix}kept/${key}`
})

/** True if a key of the bucket is an upload of ours, not a name that somebody else gave. */
export const isUploadOf = (bucket: Bucket) => {
  const { uploads } = placesOf(bucket)
  return (key: string) => key.startsWith(uploads) && /^[a-z0-9._-]+$/.test(key.slice(uploads.length))
}

/** `None` if the object is not there. Any other refusal of S3 is a defect. */
const ifThere = <A>(work: Effect.Effect<A, S3Failed>): Effect.Effect<Option.Option<A>> =>
  Effect.asSome(work).pipe(Effect.catchIf(({ isMissing }) => isMissing, () => Effect.succeedNone), Effect.orDie)

const Head = Schema.Struct({ "content-length": Schema.FiniteFromString, etag: Schema.NonEmptyString })
const decodeHead = Schema.decodeUnknownEffect(Head)

/** The size and the content's name of an object; `None` if it is not there. */
export const headOf = Effect.fnUntraced(function*({ ask }: S3Client, key: string) {
  const found = yield* ifThere(ask({ method: "HEAD", key }))
  if (Option.isNone(found)) return Option.none()
  const { "content-length": size, etag } = yield* Effect.orDie(decodeHead(found.value.headers))
  return Option.some({ size, etag })
})

/** Deletes an object, or ends the upload in parts of this id. */
export const deleteAt = ({ ask }: S3Client, key: string, uploadId?: string) =>
  Effect.asVoid(ifThere(ask({ method: "DELETE", key, ...(uploadId !== undefined && { query: { uploadId } }) })))
