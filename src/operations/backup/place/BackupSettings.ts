import { Config, Duration, Effect, Option, Redacted, Schema } from "effect"
import { optionalSetting, setting } from "../../../platform/config/Setting.ts"
import { bucketDescription, bucketOf } from "../../../platform/storage/StorageSettings.ts"
import { folderPlace } from "./FolderPlace.ts"

/** Anyone with the file can guess a shorter one, at leisure. */
const shortestPassphrase = 12

/** A text that begins as an address does is not a folder: a mistyped bucket still contains secrets. */
export const isAddress = (text: string): boolean => /^\s*(?:s3:|[a-z][a-z0-9+.-]*:\/\/)/i.test(text)

const isPlace = Schema.makeFilter<string>((text) => isAddress(text) ? Option.isSome(bucketOf(text)) : text !== "")

const Interval = Schema.DurationFromString
  .check(Schema.makeFilter((every: Duration.Duration) =>
    Duration.isGreaterThanOrEqualTo(every, Duration.minutes(1)) &&
    Duration.isLessThanOrEqualTo(every, Duration.days(31))
  ))

/** Where the service keeps backups of itself, how often it makes one and how many stay. */
export const backupSettings = {
  BACKUP_URL: optionalSetting({
    variable: "BACKUP_URL",
    meaning: "the folder or bucket into which workers make backups, and `npx turma backup` without a file",
    unset: "unset: no backups",
    expected: `a folder, or ${bucketDescription.expected}`,
    example: "/backups",
    isSecret: true
  }, (variable) => Config.schema(Schema.Redacted(Schema.String.check(isPlace)), variable)),
  BACKUP_EVERY: setting({
    variable: "BACKUP_EVERY",
    meaning: "from one of them to the next",
    fallback: "1 day",
    expected: "a duration from a minute to 31 days",
    example: "12 hours"
  }, (variable) => Config.schema(Interval, variable)),
  BACKUP_KEEP: setting({
    variable: "BACKUP_KEEP",
    meaning: "how many of them stay; older ones are deleted once the next is verified",
    fallback: "7",
    expected: "a whole number from 1 to 1000",
    example: "30"
  }, (variable) =>
    Config.schema(
      Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 1000 })),
      variable
    )),
  BACKUP_PASSPHRASE: optionalSetting(
    {
      variable: "BACKUP_PASSPHRASE",
      meaning: "seals every backup, and opens those that it has sealed",
      unset: "unset: who has a backup with a generated key in it has everything",
      expected: `at least ${shortestPassphrase} characters`,
      example: "the output of: openssl rand -base64 24",
      isSecret: true
    },
    (variable) => Config.schema(Schema.Redacted(Schema.String.check(Schema.isMinLength(shortestPassphrase))), variable)
  )
} as const

// Read only where they are wanted, as the driver of uploads is.
const driver = Effect.promise(() =>
  Promise.all([import("./BucketPlace.ts"), import("../../../platform/storage/s3/S3Objects.ts")])
)

/** The place of the settings, with connections that close with the scope; `None` if no place is set. */
export const configuredPlace = Effect.gen(function*() {
  const given = yield* backupSettings.BACKUP_URL.read
  if (Option.isNone(given)) return Option.none()
  const text = Redacted.value(given.value)
  const bucket = bucketOf(text)
  if (Option.isNone(bucket)) return Option.some(yield* folderPlace(text))
  const [{ bucketPlace }, { openS3Objects }] = yield* driver
  return Option.some(yield* bucketPlace(bucket.value, yield* openS3Objects(bucket.value)))
})

/** The passphrase of the settings; undefined if it is not set. */
export const configuredPassphrase = Effect.map(backupSettings.BACKUP_PASSPHRASE.read, Option.getOrUndefined)
