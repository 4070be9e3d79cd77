import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { HttpClient } from "effect/http"
import type { Bucket } from "../StorageSettings.ts"
import { makeS3Client, type S3Answer, type S3Times, s3Times } from "./S3Client.ts"
import { S3Failed } from "./S3Failed.ts"
import { clientLayer } from "./S3Layer.ts"
import { elementsIn, escaped, textIn } from "./Xml.ts"

/** An object directly below the bucket's prefix. */
export interface StoredObject {
  readonly name: string
  readonly bytes: number
}

/** An object that is being sent in parts: nothing is there before it is completed. */
export interface ObjectDraft {
  /** The next part; of at least 5 MiB unless it is the last. */
  readonly put: (bytes: Uint8Array) => Effect.Effect<void, S3Failed>
  /** Makes an object of the parts. */
  readonly complete: Effect.Effect<void, S3Failed>
  /** Ends it without one. */
  readonly abandon: Effect.Effect<void, S3Failed>
}

/** More parts than this S3 takes of no object. */
export const mostParts = 10_000

const Head = Schema.Struct({ "content-length": Schema.FiniteFromString, etag: Schema.NonEmptyString })

const odd = (method: string, code: string) => new S3Failed({ method, status: Option.none(), code })

/**
 * Objects of our own directly below a bucket's prefix, of any size. They are sent in parts and read in pieces, and each
 * is tried three times. So a broken connection costs a part and not hours.
 */
export const makeS3Objects = (bucket: Bucket, http: HttpClient.HttpClient, times: S3Times) => {
  const { ask, piece } = makeS3Client(bucket, http, times)
  const keyOf = (name: string) => `${bucket.prefix}${name}`
  const nameOf = (key: string) => key.startsWith(bucket.prefix) ? key.slice(bucket.prefix.length) : ""

  const list = Effect.gen(function*() {
    const found: Array<StoredObject> = []
    let token: string | undefined
    do {
      const more = token === undefined ? {} : { "continuation-token": token }
      // Objects that lie deeper are not ours, and may be many.
      const query = { "list-type": "2", prefix: bucket.prefix, delimiter: "/", ...more }
      const { body }: S3Answer = yield* ask({ method: "GET", key: "", query })
      for (const object of elementsIn(body, "Contents")) {
        found.push({ name: nameOf(textIn(object, "Key") ?? ""), bytes: Number(textIn(object, "Size")) })
      }
      const next = textIn(body, "NextContinuationToken")
      if (next !== undefined && next === token) return yield* odd("GET", "the same page again")
      token = next
    } while (token !== undefined)
    return found
  })

  /** The size and the content's name of an object; `None` if it is not there. */
  const head = Effect.fnUntraced(function*(name: string) {
    const found = yield* Effect.asSome(ask({ method: "HEAD", key: keyOf(name) }))
      .pipe(Effect.catchIf(({ isMissing }) => isMissing, () => Effect.succeedNone))
    if (Option.isNone(found)) return Option.none()
    const { "content-length": bytes, etag } = yield* Effect.mapError(
      Schema.decodeUnknownEffect(Head)(found.value.headers),
      () => odd("HEAD", "an answer without a size")
    )
    return Option.some({ bytes, etag })
  })

  /** A piece of the object that has this content; fails where it has another by now. */
  const read = (name: string, etag: string, offset: number, length: number) => {
    const headers = { range: `bytes=${offset}-${offset + length - 1}`, "if-match": etag }
    return piece({ method: "GET", key: keyOf(name), headers }, length)
  }

  const abandonAt = (key: string, uploadId: string) =>
    Effect.asVoid(ask({ method: "DELETE", key, query: { uploadId } })).pipe(Effect.catchIf(({ isMissing }) =>
      isMissing, () => Effect.void))

  /** Begins an object. */
  const begin = Effect.fnUntraced(function*(name: string) {
    const key = keyOf(name)
    const headers = { "content-type": "application/octet-stream" }
    const { body } = yield* ask({ method: "POST", key, query: { uploads: "" }, headers })
    const uploadId = textIn(body, "UploadId") ?? ""
    if (uploadId === "") return yield* odd("POST", "an upload without an id")
    const etags: Array<string> = []

    const put = Effect.fnUntraced(function*(bytes: Uint8Array) {
      const partNumber = `${etags.length + 1}`
      const { headers } = yield* ask({ method: "PUT", key, query: { partNumber, uploadId }, body: bytes }, times.copy)
      if (headers["etag"] === undefined) return yield* odd("PUT", "a part without a name")
      etags.push(headers["etag"])
    })

    const complete = Effect.suspend(() => {
      const parts = etags.map((etag, index) =>
        `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escaped(etag)}</ETag></Part>`
      )
      const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`
      return ask({ method: "POST", key, query: { uploadId }, body }, times.copy)
    }).pipe(
      Effect.asVoid,
      // The answer to an earlier try was lost: what counts is that the object is there.
      Effect.catchIf(
        ({ isMissing }) => isMissing,
        (failure) => Effect.flatMap(head(name), (is) => Option.isSome(is) ? Effect.void : Effect.fail(failure))
      )
    )
    return { put, complete, abandon: abandonAt(key, uploadId) } satisfies ObjectDraft
  })

  const uploadsIn = (body: string) =>
    elementsIn(body, "Upload").map((upload) => ({
      key: textIn(upload, "Key") ?? "",
      id: textIn(upload, "UploadId") ?? "",
      begun: DateTime.make(textIn(upload, "Initiated") ?? "")
    }))

  /** Ends uploads from before a moment that were never completed, under names for which `isOurs` holds. */
  const endOld = Effect.fnUntraced(function*(oldest: DateTime.Utc, isOurs: (name: string) => boolean) {
    let after: Readonly<Record<string, string>> | undefined = {}
    while (after !== undefined) {
      const query: Readonly<Record<string, string>> = { uploads: "", prefix: bucket.prefix, ...after }
      const { body }: S3Answer = yield* ask({ method: "GET", key: "", query })
      for (const { begun, id, key } of uploadsIn(body)) {
        const isOld = Option.exists(begun, (at) => DateTime.isLessThanOrEqualTo(at, oldest))
        if (isOld && isOurs(nameOf(key))) yield* abandonAt(key, id)
      }
      const [key, id] = [textIn(body, "NextKeyMarker"), textIn(body, "NextUploadIdMarker")]
      const isMore = textIn(body, "IsTruncated") === "true" && key !== undefined && id !== undefined
      after = isMore ? { "key-marker": key, "upload-id-marker": id } : undefined
    }
  })

  const remove = (name: string) =>
    Effect.asVoid(ask({ method: "DELETE", key: keyOf(name) })).pipe(Effect.catchIf(({ isMissing }) =>
      isMissing, () => Effect.void))

  return { list, head, read, begin, endOld, remove }
}

/** What `makeS3Objects` makes. */
export type S3Objects = ReturnType<typeof makeS3Objects>

/** Nobody waits for an answer: a bucket that is busy has some seconds. */
const patient: S3Times = { ...s3Times, backoff: Duration.seconds(2) }

/** The objects of a bucket, over connections that close with the scope. */
export const openS3Objects = (bucket: Bucket, times: S3Times = patient) =>
  Effect.map(
    Layer.build(clientLayer(times)),
    (context) => makeS3Objects(bucket, Context.get(context, HttpClient.HttpClient), times)
  )
