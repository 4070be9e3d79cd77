import { Effect, Runtime, Schema } from "effect"
import { assistantSettings, configuredModel } from "../../assistant/providers/AssistantSettings.ts"
import { configuredCatalog } from "../../commerce/billing/catalog/BillingCatalog.ts"
import { billingSettings, stripeSettings } from "../../commerce/billing/settings/BillingSettings.ts"
import { eventSettings } from "../../events/EventSettings.ts"
import { clientAddressSettings } from "../../identity/limits/ClientAddress.ts"
import { limitSettings } from "../../identity/limits/LimitSettings.ts"
import { sessionSettings } from "../../identity/sessions/SessionSettings.ts"
import { capSettings } from "../../membership/caps/CapSettings.ts"
import { backupSettings } from "../../operations/backup/place/BackupSettings.ts"
import { telemetrySettings } from "../../operations/telemetry/TelemetrySettings.ts"
import { type Setting, SettingError } from "../../platform/config/Setting.ts"
import { serverSettings } from "../../platform/http/ServerSettings.ts"
import { mailSettings } from "../../platform/mail/MailSettings.ts"
import { processCountSettings } from "../../platform/processes/ProcessSettings.ts"
import { roleSettings } from "../../platform/processes/RoleSettings.ts"
import { redisSettings } from "../../platform/redis/RedisSettings.ts"
import { databaseAddresses } from "../../platform/sql/DatabaseAddresses.ts"
import { databaseSettings } from "../../platform/sql/DatabaseSettings.ts"
import { namedKeys, sealingSettings } from "../../platform/sql/Sealing.ts"
import { storageSettings } from "../../platform/storage/StorageSettings.ts"
import { webhookSettings } from "../../webhooks/model/WebhookSettings.ts"
import { addressSettings } from "../../webhooks/send/AddressSettings.ts"

/** The role of a process, and how many processes there are. */
export const processSettings = { ...roleSettings, ...processCountSettings }

/** Every environment variable that Turma reads, in the order of the table in the guide to configuration. */
export const settings = {
  ...serverSettings,
  ...processSettings,
  ...databaseSettings,
  ...redisSettings,
  ...sealingSettings,
  ...storageSettings,
  ...backupSettings,
  ...mailSettings,
  ...clientAddressSettings,
  ...sessionSettings,
  ...limitSettings,
  ...capSettings,
  ...eventSettings,
  ...webhookSettings,
  ...addressSettings,
  ...billingSettings,
  ...assistantSettings,
  ...telemetrySettings
}

/** Variables that are missing or malformed: a line for each. */
export class SettingsError extends Schema.TaggedError<SettingsError>()("SettingsError", {
  errors: Schema.NonEmptyArray(SettingError)
}) {
  override readonly [Runtime.errorExitCode] = 2

  override get message(): string {
    return this.errors.map(({ message }) => message).join("\n")
  }
}

const failEach = (reads: ReadonlyArray<Effect.Effect<unknown, SettingError>>): Effect.Effect<void, SettingsError> =>
  Effect.gen(function*() {
    const [, failures] = yield* Effect.partition(reads, (read) => read)
    const [first, ...others] = new Map(failures.map((error) => [error.variable, error])).values()
    if (first !== undefined) return yield* new SettingsError({ errors: [first, ...others] })
  })

const readsOf = (some: Readonly<Record<string, Setting<unknown>>>) => Object.values(some).map(({ read }) => read)

/** Fails with every variable of these that is missing or malformed. */
export const checkAll = (some: Readonly<Record<string, Setting<unknown>>>) => failEach(readsOf(some))

/** Fails with every variable that is missing or malformed, by itself or beside the others, before anything is started. */
export const checkSettings = failEach([
  ...readsOf(settings),
  databaseAddresses,
  namedKeys,
  configuredModel,
  configuredCatalog,
  stripeSettings
])
