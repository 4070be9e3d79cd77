import { DateTime, Effect, Layer, Option, Stream } from "effect"
import { HttpClient } from "effect/http"
import { disposition } from "../Disposition.ts"
import {
  downloadLifetime,
  type Expected,
  FileMissing,
  type Presentation,
  Storage,
  type StorageKey,
  uploadLifetime,
  uploadRetention
} from "../Storage.ts"
import type { Bucket } from "../StorageSettings.ts"
import { makeS3Client, type S3Client, type S3Times } from "./S3Client.ts"
import { makeS3Parts } from "./S3Parts.ts"
import { deleteAt, headOf, isUploadOf, placesOf } from "./S3Places.ts"
import { presigned } from "./S3Signature.ts"
import { elementsIn, textIn } from "./Xml.ts"

/** How often a settlement looks again when the upload was replaced under its eyes. */
const looks = 5

/** S3 copies within the bucket; false if there is nothing to copy, or another object than these headers ask for. */
const copying =
  ({ ask }: S3Client, { name }: Bucket, times: S3Times) =>
  (from: string, to: string, headers: Readonly<Record<string, string>> = {}) =>
    ask({ method: "PUT", key: to, headers: { ...headers, "x-amz-copy-source": `/${name}/${from}` } }, times.copy).pipe(
      Effect.as(true),
      Effect.catchIf((failure) => failure.isMissing || failure.is(412), () => Effect.succeed(false)),
      Effect.orDie
    )

/**
 * Copies the upload to its final place, then deletes it. The order makes two settlements at a time, and a second upload
 * meanwhile, harmless. The upload is inspected before the settled file, so a process that sees a later upload also sees
 * the settlement. And the copy takes the inspected bytes, or nothing.
 */
const settling = (client: S3Client, bucket: Bucket, times: S3Times) => {
  const { settledAt, uploadOf } = placesOf(bucket)
  const copy = (key: StorageKey, { etag }: { readonly etag: string }) =>
    copying(client, bucket, times)(uploadOf(key), settledAt(key), { "x-amz-copy-source-if-match": etag })

  const look = Effect.fnUntraced(function*(key: StorageKey) {
    const upload = yield* headOf(client, uploadOf(key))
    const settled = yield* headOf(client, settledAt(key))
    const either = Option.isSome(settled) ? settled : upload
    if (Option.isNone(settled) && Option.isSome(upload) && !(yield* copy(key, upload.value))) return undefined
    if (Option.isSome(upload)) yield* deleteAt(client, uploadOf(key))
    return Option.map(either, ({ size }) => size)
  })

  return Effect.fn("S3Storage.settle")(function*(key: StorageKey) {
    for (let n = 0; n < looks; n++) {
      const settled = yield* look(key)
      if (settled !== undefined) return settled
    }
    return yield* Effect.die(new Error("The upload was replaced again and again while it was settled"))
  })
}

const reading = (client: S3Client, bucket: Bucket): Storage["Service"]["read"] => {
  const { settledAt } = placesOf(bucket)
  return (key, { bytes, offset = 0 } = {}) => {
    // A range cannot express zero bytes.
    if (bytes === 0) return Stream.empty
    const isWhole = offset === 0 && bytes === undefined
    const range = `bytes=${offset}-${bytes === undefined ? "" : offset + bytes - 1}`
    return client.open({ method: "GET", key: settledAt(key), headers: isWhole ? {} : { range } }).pipe(
      Effect.map((response) =>
        isWhole || response.status === 206
          ? client.bytesOf(response)
          : Stream.die(new Error("S3 answered a range with the whole file"))
      ),
      Effect.catch((failure) => {
        if (failure.is(416)) return Effect.succeed(Stream.empty)
        return failure.isMissing ? Effect.fail(new FileMissing()) : Effect.die(failure)
      }),
      Stream.unwrap
    )
  }
}

const sweeping = (client: S3Client, bucket: Bucket, parts: ReturnType<typeof makeS3Parts>) => {
  const { uploads } = placesOf(bucket)
  const isUpload = isUploadOf(bucket)

  const page = (token: string | undefined) =>
    Effect.orDie(client.ask({
      method: "GET",
      key: "",
      query: { "list-type": "2", prefix: uploads, ...(token !== undefined && { "continuation-token": token }) }
    }))

  /** The keys of old uploads. Objects with other names than ours stay. */
  const oldIn = (list: string, oldest: DateTime.Utc) =>
    elementsIn(list, "Contents").flatMap((object) => {
      const key = textIn(object, "Key") ?? ""
      const modified = DateTime.make(textIn(object, "LastModified") ?? "")
      const isOld = Option.exists(modified, (at) => DateTime.isLessThanOrEqualTo(at, oldest))
      return isOld && isUpload(key) ? [key] : []
    })

  return Effect.gen(function*() {
    const oldest = DateTime.subtractDuration(yield* DateTime.now, uploadRetention)
    let token: string | undefined
    do {
      const { body } = yield* page(token)
      yield* Effect.forEach(oldIn(body, oldest), (key) => deleteAt(client, key), { discard: true })
      token = textIn(body, "NextContinuationToken")
    } while (token !== undefined)
    yield* parts.sweep(oldest)
  }).pipe(Effect.withSpan("S3Storage.sweep"))
}

const addressing = (bucket: Bucket) => {
  const { settledAt, uploadOf } = placesOf(bucket)
  return {
    upload: Effect.fn("S3Storage.upload")(function*({ key, mime, size_bytes }: Expected) {
      // A sender states the length of a body by itself; a browser lets no script state it.
      const headers = { "content-type": mime, "if-none-match": "*" }
      const bound = { ...headers, "content-length": String(size_bytes) }
      const address = yield* presigned(bucket, { method: "PUT", key: uploadOf(key), headers: bound }, uploadLifetime)
      return { method: "PUT" as const, headers, ...address }
    }),
    download: Effect.fn("S3Storage.download")((key: StorageKey, presentation: Presentation) =>
      presigned(bucket, {
        method: "GET",
        key: settledAt(key),
        query: {
          "response-cache-control": "private, max-age=3600",
          "response-content-disposition": disposition(presentation),
          "response-content-type": presentation.mime
        }
      }, downloadLifetime)
    )
  }
}

/**
 * Files in a bucket: below `uploads/` what clients have sent to presigned addresses, below `kept/` what is settled. Nothing
 * is asked at the start; what S3 refuses is a defect.
 */
export const s3StorageLayer = (bucket: Bucket, times: S3Times) =>
  Layer.effect(
    Storage,
    Effect.map(HttpClient.HttpClient, (http) => {
      const client = makeS3Client(bucket, http, times)
      const { settledAt, uploadOf } = placesOf(bucket)
      const parts = makeS3Parts(client, bucket, times)
      return Storage.of({
        ...addressing(bucket),
        resume: parts.resume,
        assemble: parts.assemble,
        settle: settling(client, bucket, times),
        read: reading(client, bucket),
        // One copy takes up to 5 GiB: no file is larger, and each came here by such a copy.
        copy: Effect.fn("S3Storage.copy")(function*(key: StorageKey, other: StorageKey) {
          if (Option.isSome(yield* headOf(client, settledAt(other)))) return true
          return yield* copying(client, bucket, times)(settledAt(key), settledAt(other))
        }),
        remove: Effect.fn("S3Storage.remove")(function*(key: StorageKey) {
          yield* deleteAt(client, uploadOf(key))
          yield* parts.remove(key)
          yield* deleteAt(client, settledAt(key))
        }),
        sweep: sweeping(client, bucket, parts)
      })
    })
  )
