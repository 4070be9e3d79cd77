import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Option } from "effect"
import { configuredPlace } from "../../../../src/operations/backup/place/BackupSettings.ts"

const placeOf = (BACKUP_URL: string) =>
  Effect.provide(configuredPlace, ConfigProvider.layer(ConfigProvider.fromUnknown({ BACKUP_URL })))

layer(NodeServices.layer)("BACKUP_URL", (it) => {
  it.effect("names a folder, whatever colons its name has", () =>
    Effect.gen(function*() {
      for (const folder of ["/backups", "/backups/03:00", "/s3:/a"]) {
        const place = yield* placeOf(folder)
        assert.strictEqual(Option.getOrThrow(place).name, folder)
      }
    }))

  it.effect("is no folder where it is a mistyped bucket, and what is said has no secret in it", () =>
    Effect.gen(function*() {
      const mistyped = [
        "s3://id:hushhush@host",
        " s3://id:hushhush@host/bucket/a b",
        "s3:/id:hushhush@host/bucket",
        "S3:id:hushhush@host/bucket",
        "https://id:hushhush@host/bucket",
        "s3://id:hushhush@host/bucket/../.."
      ]
      for (const text of mistyped) {
        const { message } = yield* Effect.flip(placeOf(text))
        assert.match(message, /^BACKUP_URL/)
        assert.notInclude(message, "hushhush")
      }
    }))
})
