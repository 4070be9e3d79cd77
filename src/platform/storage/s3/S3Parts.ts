import { DateTime, Effect, Option, Order } from "effect"
import { UploadInPartsUnavailable } from "../../http/errors.ts"
import type { Expected, StorageKey } from "../Storage.ts"
import { uploadLifetime } from "../Storage.ts"
import type { Bucket } from "../StorageSettings.ts"
import { partsOf, uploadInParts } from "../UploadInParts.ts"
import type { S3Answer, S3Client, S3Times } from "./S3Client.ts"
import type { S3Failed } from "./S3Failed.ts"
import { deleteAt, headOf, isUploadOf, placesOf } from "./S3Places.ts"
import { presigned } from "./S3Signature.ts"
import { elementsIn, escaped, textIn } from "./Xml.ts"

/** How often an assembly looks again when a part was replaced under its eyes. */
const looks = 5

interface OpenUpload {
  readonly key: string
  readonly id: string
  readonly initiated: string
}

interface ReceivedPart {
  readonly number: number
  readonly size: number
  readonly etag: string
}

// Of several uploads for one key the first counts, for every process.
const firstBegun = Order.mapInput(
  Order.Tuple([Order.String, Order.String]),
  ({ id, initiated }: OpenUpload) => [initiated, id] as const
)

const uploadsIn = (xml: string): ReadonlyArray<OpenUpload> =>
  elementsIn(xml, "Upload").map((upload) => ({
    key: textIn(upload, "Key") ?? "",
    id: textIn(upload, "UploadId") ?? "",
    initiated: textIn(upload, "Initiated") ?? ""
  }))

const partsIn = (xml: string): ReadonlyArray<ReceivedPart> =>
  elementsIn(xml, "Part").map((part) => ({
    number: Number(textIn(part, "PartNumber")),
    size: Number(textIn(part, "Size")),
    etag: textIn(part, "ETag") ?? ""
  }))

/** Where the next page of uploads begins. */
const nextIn = (xml: string) => {
  const [key, id] = [textIn(xml, "NextKeyMarker"), textIn(xml, "NextUploadIdMarker")]
  return textIn(xml, "IsTruncated") === "true" && key && id ? { "key-marker": key, "upload-id-marker": id } : undefined
}

const completion = (parts: ReadonlyArray<ReceivedPart>) => {
  const each = parts.map(({ etag, number }) =>
    `<Part><PartNumber>${number}</PartNumber><ETag>${escaped(etag)}</ETag></Part>`
  )
  return `<CompleteMultipartUpload>${each.join("")}</CompleteMultipartUpload>`
}

/** The server has no uploads in parts, or the key may not list them: then there are no parts. */
const cannotList = (failure: S3Failed) => failure.is(403) || failure.is(405) || failure.is(501)

const orUnavailable = <A>(
  work: Effect.Effect<A, S3Failed | UploadInPartsUnavailable>
): Effect.Effect<A, UploadInPartsUnavailable> =>
  Effect.catchTag(
    work,
    "S3Failed",
    (failure) => cannotList(failure) ? Effect.fail(new UploadInPartsUnavailable()) : Effect.die(failure)
  )

/**
 * Uploads in parts are S3's own. Turma stores nothing about them, because S3 lists them. A page of parts has a
 * thousand, and no file has as many.
 */
export const makeS3Parts = (client: S3Client, bucket: Bucket, times: S3Times) => {
  const { settledAt, uploadOf, uploads } = placesOf(bucket)
  const isUpload = isUploadOf(bucket)

  const openBelow = Effect.fnUntraced(function*(prefix: string) {
    const open: Array<OpenUpload> = []
    let after: Readonly<Record<string, string>> | undefined = {}
    while (after !== undefined) {
      const { body }: S3Answer = yield* client.ask({ method: "GET", key: "", query: { uploads: "", prefix, ...after } })
      open.push(...uploadsIn(body))
      after = nextIn(body)
    }
    return open
  })

  /** Those of this key, the one that counts first. */
  const openOf = (key: string) =>
    Effect.map(openBelow(key), (open) => open.filter((upload) => upload.key === key).toSorted(firstBegun))

  /** The parts that are there; `None` if the upload is over. */
  const partsAt = (key: string, uploadId: string) =>
    Effect.map(client.ask({ method: "GET", key, query: { uploadId } }), ({ body }) => Option.some(partsIn(body)))
      .pipe(Effect.catchIf(({ isMissing }) => isMissing, () => Effect.succeedNone))

  /** The same; `None` if the parts cannot be listed. */
  const receivedOf = (key: string, uploadId: string) =>
    Effect.orDie(Effect.catchIf(partsAt(key, uploadId), cannotList, () => Effect.succeedNone))

  const isWhole = Effect.fnUntraced(function*(key: StorageKey) {
    const found = yield* Effect.all([headOf(client, uploadOf(key)), headOf(client, settledAt(key))])
    return found.some(Option.isSome)
  })

  /** The upload of this key that counts, with its parts. */
  const openedAt = Effect.fnUntraced(function*(key: string) {
    const [open] = yield* openOf(key)
    if (open === undefined) return Option.none()
    return Option.map(yield* partsAt(key, open.id), (parts) => ({ uploadId: open.id, parts }))
  })

  // A key that may not end it leaves it to the bucket's own rules.
  const abandon = (key: string, uploadId = "") =>
    uploadId === "" ? Effect.void : Effect.ignore(client.ask({ method: "DELETE", key, query: { uploadId } }))

  /** Begins one, and ends it again where the bucket does not tell of it. */
  const begun = Effect.fnUntraced(function*(key: string, mime: string) {
    const headers = { "content-type": mime }
    const { body } = yield* client.ask({ method: "POST", key, query: { uploads: "" }, headers })
    return yield* openedAt(key).pipe(
      Effect.flatMap(Option.match({
        onNone: () => Effect.fail(new UploadInPartsUnavailable()),
        onSome: Effect.succeed
      })),
      Effect.tapError(() => abandon(key, textIn(body, "UploadId")))
    )
  })

  const resume = Effect.fn("S3Storage.resume")(function*({ key, mime, size_bytes }: Expected) {
    const place = uploadOf(key)
    const opened = yield* Effect.catchTag(
      orUnavailable(openedAt(place)),
      "UploadInPartsUnavailable",
      (refusal) => Effect.flatMap(isWhole(key), (is) => is ? Effect.succeedNone : Effect.fail(refusal))
    )
    if (Option.isNone(opened) && (yield* isWhole(key))) {
      return yield* uploadInParts(size_bytes, () => true, () => Effect.die(new Error("No part is missing")))
    }
    const { parts, uploadId } = Option.isSome(opened) ? opened.value : yield* orUnavailable(begun(place, mime))
    const numbers = new Set(parts.map(({ number }) => number))
    return yield* uploadInParts(size_bytes, (number) => numbers.has(number), ({ number, size_bytes }) =>
      Effect.map(
        presigned(bucket, {
          method: "PUT",
          key: place,
          query: { partNumber: `${number}`, uploadId },
          headers: { "content-length": `${size_bytes}` }
        }, uploadLifetime),
        ({ url }) => url
      ))
  })

  /** True if the upload is over afterwards; false if a part has changed meanwhile. */
  const complete = (key: string, uploadId: string, parts: ReadonlyArray<ReceivedPart>) =>
    client.ask({ method: "POST", key, query: { uploadId }, body: completion(parts) }, times.copy).pipe(
      Effect.as(true),
      Effect.catchIf(({ isMissing }) => isMissing, () => Effect.succeed(true)),
      Effect.catchIf(({ code }) => code === "InvalidPart", () => Effect.succeed(false)),
      Effect.orDie
    )

  const assemble = Effect.fn("S3Storage.assemble")(function*({ key, size_bytes }: Expected) {
    const place = uploadOf(key)
    const expected = partsOf(size_bytes)
    const [first, ...others] = yield* Effect.catchIf(openOf(place), cannotList, () => Effect.succeed([]))
      .pipe(Effect.orDie)
    if (first === undefined) return yield* isWhole(key)
    for (let n = 0; n < looks; n++) {
      const received = yield* receivedOf(place, first.id)
      if (Option.isNone(received)) return yield* isWhole(key)
      const isAll = expected.every((part, index) => {
        const { number, size } = received.value[index] ?? {}
        return number === part.number && size === part.size_bytes
      })
      if (!isAll) return false
      if (!(yield* complete(place, first.id, received.value))) continue
      yield* Effect.forEach(others, ({ id }) => deleteAt(client, place, id), { discard: true })
      return true
    }
    return yield* Effect.die(new Error("The parts were replaced again and again while storage joined them"))
  })

  /** Ends the uploads of this key. */
  const remove = Effect.fnUntraced(function*(key: StorageKey) {
    const open = yield* Effect.orDie(Effect.catchIf(openOf(uploadOf(key)), cannotList, () => Effect.succeed([])))
    yield* Effect.forEach(open, ({ id, key }) => deleteAt(client, key, id), { discard: true })
  })

  const endOld = Effect.fnUntraced(function*(oldest: DateTime.Utc) {
    const isOld = ({ initiated }: OpenUpload) =>
      Option.exists(DateTime.make(initiated), (at) => DateTime.isLessThanOrEqualTo(at, oldest))
    const old = (yield* openBelow(uploads)).filter((upload) => isUpload(upload.key) && isOld(upload))
    yield* Effect.forEach(old, ({ id, key }) => deleteAt(client, key, id), { discard: true })
  })

  /** Ends uploads that are older. A server that cannot list uploads keeps no upload. */
  const sweep = (oldest: DateTime.Utc) => Effect.orDie(Effect.catchIf(endOld(oldest), cannotList, () => Effect.void))

  return { resume, assemble, remove, sweep }
}
