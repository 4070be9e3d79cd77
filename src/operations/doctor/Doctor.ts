import { Effect } from "effect"
import { addressCheck } from "./AddressCheck.ts"
import { databaseCheck } from "./DatabaseCheck.ts"
import { machineChecks } from "./Machine.ts"
import { mailCheck } from "./MailCheck.ts"
import { redisCheck } from "./RedisCheck.ts"
import { secretsCheck } from "./SecretsCheck.ts"
import { storageCheck } from "./StorageCheck.ts"
import { urlCheck } from "./UrlCheck.ts"

const checks = [
  ...machineChecks,
  secretsCheck,
  databaseCheck,
  redisCheck,
  mailCheck,
  storageCheck,
  addressCheck,
  urlCheck
]

/** Looks at all that the service stands on, at once; answers in the order of this list. Needs no service that runs. */
export const examine = Effect.map(Effect.all(checks, { concurrency: "unbounded" }), (findings) => findings.flat())
