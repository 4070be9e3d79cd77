import { Effect, FileSystem, Option } from "effect"
import { resolve } from "node:path"
import { databaseSettings } from "../../platform/sql/DatabaseSettings.ts"
import { configuredBucket } from "../../platform/storage/StorageSettings.ts"
import { check, ok, problem } from "./Finding.ts"

/** Makes a file in the folder of this machine and takes it away; a folder that is not there yet is not made. */
const probeFolder = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const folder = resolve(yield* databaseSettings.DATA_DIR.read)
  if (!(yield* fs.exists(folder))) return [ok("Files", `${folder} is not there yet: the first start makes it`)]
  const probe = yield* fs.makeTempFile({ directory: folder, prefix: "probe-" })
  yield* fs.remove(resolve(probe, ".."), { recursive: true })
  return [ok("Files", `${folder} can be written to`)]
}).pipe(
  Effect.catchTag(
    "PlatformError",
    ({ message }) => Effect.succeed([problem("Files", message, "Give DATA_DIR to the user that runs the service")])
  )
)

/** Where files are: a probe is written, read and deleted. */
export const storageCheck = check(
  "Files",
  Effect.flatMap(
    configuredBucket,
    Option.match({
      onNone: () => probeFolder,
      onSome: (bucket) =>
        Effect.flatMap(
          Effect.promise(() => import("../../platform/storage/s3/S3Probe.ts")),
          ({ probeBucket }) => probeBucket(bucket)
        ).pipe(
          Effect.as([ok("Files", `the bucket ${bucket.name} takes, gives and deletes a probe`)]),
          Effect.catchTag("S3Failed", ({ message }) =>
            Effect.succeed([
              problem(
                "Files",
                `the bucket ${bucket.name}: ${message}`,
                "Check STORAGE_URL, the region and what the key may: PutObject, GetObject, DeleteObject"
              )
            ]))
        )
    })
  )
)
