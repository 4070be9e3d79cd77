import { AwsV4Signer } from "aws4fetch"
import { DateTime, Duration, Effect, Redacted } from "effect"
import { createHash } from "node:crypto"
import type { Bucket } from "../StorageSettings.ts"

/** A request to a bucket. `key` contains the prefix, and is empty for the bucket itself. */
export interface S3Request {
  readonly method: "DELETE" | "GET" | "HEAD" | "POST" | "PUT"
  readonly key: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Empty by default. */
  readonly body?: string | Uint8Array
}

const hashOf = (body: string | Uint8Array) => createHash("sha256").update(body).digest("hex")

const urlOf = ({ base }: Bucket, { key, query = {} }: S3Request) => {
  const url = new URL(key, base)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}

// Not every server takes a plus for a space.
const textOf = (url: URL) => `${url.origin}${url.pathname}${url.search.replaceAll("+", "%20")}`

const signer = (bucket: Bucket, request: S3Request, at: DateTime.Utc) => ({
  method: request.method,
  url: urlOf(bucket, request).href,
  accessKeyId: bucket.access_key_id,
  secretAccessKey: Redacted.value(bucket.secret),
  region: bucket.region,
  service: "s3",
  datetime: DateTime.formatIso(at).replaceAll(/[:-]|\.\d{3}/g, ""),
  // Our headers, all of them: without this the type and the length would stay unsigned.
  allHeaders: true
})

/** The address and the headers of a request that we send ourselves, now (AWS Signature Version 4). */
export const signed = Effect.fnUntraced(function*(bucket: Bucket, request: S3Request) {
  const at = yield* DateTime.now
  const headers = { ...request.headers, "x-amz-content-sha256": hashOf(request.body ?? "") }
  const answer = yield* Effect.promise(() => new AwsV4Signer({ ...signer(bucket, request, at), headers }).sign())
  return { url: textOf(answer.url), headers: Object.fromEntries(answer.headers) }
})

/** An address with which somebody else may send this request, with exactly these headers, for this long. */
export const presigned = Effect.fnUntraced(function*(bucket: Bucket, request: S3Request, lifetime: Duration.Duration) {
  // S3 counts whole seconds.
  const at = DateTime.startOf(yield* DateTime.now, "second")
  const query = { ...request.query, "X-Amz-Expires": String(Duration.toSeconds(lifetime)) }
  const { url } = yield* Effect.promise(() =>
    new AwsV4Signer({
      ...signer(bucket, { ...request, query }, at),
      headers: request.headers ?? {},
      signQuery: true
    }).sign()
  )
  return { url: Redacted.make(textOf(url)), expires_at: DateTime.addDuration(at, lifetime) }
})
