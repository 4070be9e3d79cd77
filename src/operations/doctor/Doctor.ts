import { Effect } from "effect"
import type { SealedRows } from "../../platform/sql/SealedRows.ts"
import { addressCheck } from "./AddressCheck.ts"
import { databaseCheck } from "./DatabaseCheck.ts"
import { machineChecks } from "./Machine.ts"
import { mailCheck } from "./MailCheck.ts"
import { redisCheck } from "./RedisCheck.ts"
import { secretsCheck } from "./SecretsCheck.ts"
import { storageCheck } from "./StorageCheck.ts"
import { urlCheck } from "./UrlCheck.ts"

const checks = (sealed: ReadonlyArray<SealedRows>) => [
  ...machineChecks,
  secretsCheck,
  databaseCheck(sealed),
  redisCheck,
  mailCheck,
  storageCheck,
  addressCheck,
  urlCheck
]

/**
 * Looks at all that the service stands on, at once; answers in the order of this list. Needs no service that runs. `sealed`:
 * what of the database is sealed.
 */
export const examine = (sealed: ReadonlyArray<SealedRows>) =>
  Effect.map(Effect.all(checks(sealed), { concurrency: "unbounded" }), (findings) => findings.flat())
