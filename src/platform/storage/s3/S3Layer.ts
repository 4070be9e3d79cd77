import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Duration, Layer } from "effect"
import type { Bucket } from "../StorageSettings.ts"
import { type S3Times, s3Times } from "./S3Client.ts"
import { s3StorageLayer } from "./S3Storage.ts"

/** The HTTP client for buckets. */
export const clientLayer = ({ connect }: S3Times) =>
  NodeHttpClient.layerUndiciOptions({ connect: { timeout: Duration.toMillis(connect) } })

/** Storage in this bucket, over HTTP. */
export const s3Layer = (bucket: Bucket, times: S3Times = s3Times) =>
  Layer.provide(s3StorageLayer(bucket, times), clientLayer(times))
