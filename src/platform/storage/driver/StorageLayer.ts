import { Effect, Layer, Option } from "effect"
import { LocalRoutesLayer, storageRoutes } from "../local/LocalRoutes.ts"
import { LocalStorageLayer } from "../local/LocalStorage.ts"
import { configuredBucket } from "../StorageSettings.ts"

// Read only where it is wanted: without a bucket, nothing of this costs time at the start.
const driver = Effect.promise(() => import("../s3/S3Layer.ts"))

/** Where files are, as `STORAGE_URL` says: in a bucket, or on this machine. */
export const StorageLayer = Layer.unwrap(Effect.map(
  configuredBucket,
  Option.match({
    onNone: () => LocalStorageLayer,
    onSome: (bucket) => Layer.unwrap(Effect.map(driver, ({ s3Layer }) => s3Layer(bucket)))
  })
))

/** The routes at which files of this machine are sent and fetched. A bucket has addresses of its own. */
export const StorageRoutesLayer = Layer
  .unwrap(Effect.map(configuredBucket, (bucket) => Option.isNone(bucket) ? LocalRoutesLayer : Layer.empty))

/** The routes that `StorageRoutesLayer` has. */
export const servedRoutes = Effect.map(configuredBucket, (bucket) => Option.isNone(bucket) ? storageRoutes : [])
