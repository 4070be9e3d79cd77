import { Config, Effect, Option, type Redacted, Schema } from "effect"
import { optionalSetting, setting, SettingError } from "../../platform/config/Setting.ts"

// A slash at the end, a query or a password would become part of every address that is called.
const isBaseUrl = Schema.makeFilter<string>((text) => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" &&
    url.search === "" && url.hash === "" && !text.endsWith("/")
})

const Key = Schema.Redacted(Schema.NonEmptyString)

const keyOf = (provider: string) => ({
  isSecret: true,
  meaning: `the key to its models; required with \`AI_PROVIDER=${provider}\``,
  unset: "unset",
  expected: `a key of ${provider}, because that is the AI_PROVIDER`,
  example: "a-secret-key"
})

const anthropicKey = { variable: "ANTHROPIC_API_KEY", ...keyOf("anthropic") } as const
const openAiKey = { variable: "OPENAI_API_KEY", ...keyOf("openai") } as const

/** The settings that say who answers the students' questions. */
export const assistantSettings = {
  AI_PROVIDER: setting({
    variable: "AI_PROVIDER",
    meaning:
      "source of answers: `anthropic`, `openai`, or `none` for sentences quoted from the course material, offline",
    fallback: "none",
    expected: "one of none, anthropic, openai",
    example: "anthropic"
  }, (variable) => Config.Literals(["none", "anthropic", "openai"], variable)),
  ANTHROPIC_API_KEY: optionalSetting(anthropicKey, (variable) => Config.schema(Key, variable)),
  OPENAI_API_KEY: optionalSetting(openAiKey, (variable) => Config.schema(Key, variable)),
  AI_MODEL: optionalSetting({
    variable: "AI_MODEL",
    meaning: "the model that answers",
    unset: "`claude-sonnet-5` or `gpt-6-luna`",
    expected: "the name of a model",
    example: "claude-sonnet-5"
  }, (variable) => Config.schema(Schema.NonEmptyString, variable)),
  AI_BASE_URL: optionalSetting({
    variable: "AI_BASE_URL",
    meaning: "where the provider is called, for servers that speak as it does",
    unset: "`https://api.anthropic.com` or `https://api.openai.com/v1`",
    expected: "an http or https URL without a password, a query and a slash at its end",
    example: "http://127.0.0.1:11434/v1"
  }, (variable) => Config.schema(Schema.String.check(isBaseUrl), variable))
} as const

const providers = {
  anthropic: { model: "claude-sonnet-5", base_url: "https://api.anthropic.com", key: anthropicKey },
  openai: { model: "gpt-6-luna", base_url: "https://api.openai.com/v1", key: openAiKey }
} as const

/** The model that answers, its provider and the key to it. */
export interface ConfiguredModel {
  readonly provider: "anthropic" | "openai"
  readonly key: Redacted.Redacted
  readonly model: string
  /** Without a slash at its end. */
  readonly base_url: string
}

/** The model of the settings; empty for offline quotes. A provider without its key is an error. */
export const configuredModel = Effect.gen(function*(): Effect.fn.Return<Option.Option<ConfiguredModel>, SettingError> {
  const provider = yield* assistantSettings.AI_PROVIDER.read
  if (provider === "none") return Option.none()
  const { base_url, key, model } = providers[provider]
  const given = yield* assistantSettings[key.variable].read
  if (Option.isNone(given)) return yield* new SettingError(key)
  return Option.some({
    provider,
    key: given.value,
    model: Option.getOrElse(yield* assistantSettings.AI_MODEL.read, () => model),
    base_url: Option.getOrElse(yield* assistantSettings.AI_BASE_URL.read, () => base_url)
  })
})
