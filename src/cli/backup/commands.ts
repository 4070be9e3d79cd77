import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { backup } from "../../operations/backup/Backup.ts"
import type { Header, Manifest } from "../../operations/backup/Manifest.ts"
import { restore } from "../../operations/backup/Restore.ts"
import { telemetryLayer } from "../../operations/telemetry/Telemetry.ts"
import { telemetrySettings } from "../../operations/telemetry/TelemetrySettings.ts"
import { databaseSettings, usesEmbeddedPostgres } from "../../platform/sql/DatabaseSettings.ts"
import { sealingSettings } from "../../platform/sql/Sealing.ts"
import { storageSettings } from "../../platform/storage/StorageSettings.ts"
import { version } from "../../platform/version.ts"
import { checkAll } from "../settings/Settings.ts"

const check = checkAll({ ...databaseSettings, ...sealingSettings, ...storageSettings, ...telemetrySettings })

const contentOf = ({ files, tables }: Manifest) => {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return `${rows} rows of ${tables.length} tables, ${files.count} files of ${files.bytes} bytes`
}

const whereFiles = ({ has_files }: Header) =>
  has_files ? [] : ["The files are in a bucket and not in it: keep that, too"]

const whereKey = ({ has_key }: Header) =>
  has_key
    ? ["It holds the key that opens what is sealed: who has the file has everything"]
    : ["It does not hold APP_SECRET_KEY, without which what is sealed does not open: keep that elsewhere"]

/** To the embedded database, an old backup looks like a clock that has jumped. */
const afterJump = "If that is more than a day ago, start it and say `turma clock confirm`: until then nothing expires"

const sayAll = (lines: ReadonlyArray<string>) => Effect.forEach(lines, (line) => Console.log(line), { discard: true })

/** Makes a backup and says what is in it, and what is not. */
export const makeBackup = (file: string) =>
  check.pipe(
    Effect.andThen(backup(file)),
    Effect.flatMap(({ header, manifest }) =>
      sayAll([
        `${file} holds the installation as of ${header.taken_at}: ${contentOf(manifest)}`,
        ...whereKey(header),
        ...whereFiles(header)
      ])
    ),
    Effect.provide([NodeServices.layer, SecureRandom.layerWebCrypto, telemetryLayer(version)])
  )

/** Restores a backup and says what was in it. */
export const restoreFrom = (file: string) =>
  check.pipe(
    Effect.andThen(restore(file)),
    Effect.flatMap(({ header, manifest }) =>
      Effect.flatMap(usesEmbeddedPostgres, (isEmbedded) =>
        sayAll([
          `The installation is as of ${header.taken_at}: ${contentOf(manifest)}`,
          ...whereFiles(header),
          ...isEmbedded ? [afterJump] : []
        ]))
    ),
    Effect.provide([NodeServices.layer, SecureRandom.layerWebCrypto, telemetryLayer(version)])
  )
