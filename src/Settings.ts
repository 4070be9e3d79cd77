import { Config, Effect } from "effect"
import { sessionSettings } from "./auth/sessions/SessionSettings.ts"
import { type Setting, setting } from "./config/Setting.ts"
import { serverSettings } from "./http/ServerSettings.ts"
import { clientAddressSettings } from "./limits/ClientAddress.ts"
import { limitSettings } from "./limits/LimitSettings.ts"
import { mailSettings } from "./mail/MailSettings.ts"
import { redisSettings } from "./redis/settings.ts"
import { databaseSettings } from "./sql/DatabaseSettings.ts"
import { sealingSettings } from "./sql/Sealing.ts"
import { telemetrySettings } from "./telemetry/TelemetrySettings.ts"

export const processSettings = {
  ROLE: setting({
    variable: "ROLE",
    fallback: "all",
    meaning: "`api` serves HTTP, `worker` does the background work, `all` both",
    expected: "one of api, worker, all",
    example: "worker"
  }, (variable) => Config.Literals(["api", "worker", "all"], variable))
}

/** Every environment variable that Turma reads, in the order of the README's table. */
export const settings = {
  ...serverSettings,
  ...processSettings,
  ...databaseSettings,
  ...redisSettings,
  ...sealingSettings,
  ...mailSettings,
  ...clientAddressSettings,
  ...sessionSettings,
  ...limitSettings,
  ...telemetrySettings
}

/** Fails with the first variable that is missing or malformed, before anything is started. */
export const checkSettings = Effect.forEach(
  Object.values<Setting<unknown>>(settings),
  ({ read }) => read,
  { discard: true }
)
