import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpClient } from "effect/http"
import type { Bucket } from "../StorageSettings.ts"
import { makeS3Client, s3Times } from "./S3Client.ts"
import { clientLayer } from "./S3Layer.ts"

/** Writes an empty file of its own into the bucket, reads it and deletes it. Fails with what the bucket refuses. */
export const probeBucket = (bucket: Bucket) =>
  Effect.gen(function*() {
    const random = yield* SecureRandom.SecureRandom
    const key = `${bucket.prefix}probe/${yield* Effect.orDie(random.uuidV4())}`
    const { ask } = makeS3Client(bucket, yield* HttpClient.HttpClient, s3Times)
    const remove = ask({ method: "DELETE", key })
    yield* ask({ method: "PUT", key })
    yield* Effect.onError(ask({ method: "GET", key }), () => Effect.ignore(remove))
    yield* remove
  }).pipe(Effect.provide([clientLayer(s3Times), SecureRandom.layerWebCrypto]))
