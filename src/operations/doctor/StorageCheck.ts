import { Effect, FileSystem, Option } from "effect"
import { resolve } from "node:path"
import { databaseSettings } from "../../platform/sql/DatabaseSettings.ts"
import { type Bucket, configuredBucket } from "../../platform/storage/StorageSettings.ts"
import { dataFolderFault } from "../DataFolder.ts"
import { check, ok, problem } from "./Finding.ts"

const advice = "Until then the service does not start: it would keep nothing there"

/** The folder of this machine, where files are; one that is not there yet is not made. */
const checkFolder = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const folder = resolve(yield* databaseSettings.DATA_DIR.read)
  const fault = yield* dataFolderFault
  if (Option.isSome(fault)) return [problem("Files", fault.value, advice)]
  return (yield* fs.exists(folder))
    ? [ok("Files", `${folder} can be written to`)]
    : [ok("Files", `${folder} is not there yet: the first start makes it`)]
})

/** The same where files are elsewhere, and mails, backups or the database may be there. */
const checkRest = Effect.map(
  dataFolderFault,
  Option.match({ onNone: () => [], onSome: (fault) => [problem("DATA_DIR", fault, advice)] })
)

const checkBucket = Effect.fnUntraced(function*(bucket: Bucket) {
  const { probeBucket } = yield* Effect.promise(() => import("../../platform/storage/s3/S3Probe.ts"))
  return yield* probeBucket(bucket).pipe(
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

/** Where files are: a probe is written, read and deleted. */
export const storageCheck = check(
  "Files",
  Effect.flatMap(
    configuredBucket,
    Option.match({
      onNone: () => checkFolder,
      onSome: (bucket) => Effect.zipWith(checkBucket(bucket), checkRest, (files, rest) => [...files, ...rest])
    })
  )
)
