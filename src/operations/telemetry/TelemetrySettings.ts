import { Config, Schema } from "effect"
import { optionalSetting, setting } from "../../platform/config/Setting.ts"

// fetch refuses a URL with a password in it.
const isCollector = ({ password, protocol, username }: URL) =>
  /^https?:$/.test(protocol) && username === "" && password === ""

/** The secret for `/internal/*`, the level of the log, and the destinations of traces, metrics and logs. */
export const telemetrySettings = {
  INTERNAL_SECRET: optionalSetting({
    variable: "INTERNAL_SECRET",
    isSecret: true,
    meaning: "bearer secret of `/internal/*`, which also lets operators into the console. A new one signs them out. " +
      "The start warns if it has fewer than 24 characters",
    unset: "unset: `/internal/*` is 404",
    expected: "a secret",
    example: "the output of: openssl rand -base64 32"
  }, (variable) => Config.Redacted(variable)),
  METRICS_PORT: optionalSetting({
    variable: "METRICS_PORT",
    meaning: "where a process of `ROLE=worker` answers `/internal/metrics`, at `HOST`; others do at `PORT`",
    unset: "unset: a worker listens nowhere",
    expected: "a port from 1 to 65535",
    example: "9464"
  }, Config.Port),
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalSetting({
    variable: "OTEL_EXPORTER_OTLP_ENDPOINT",
    meaning: "where traces, metrics and logs are sent (OTLP over HTTP, JSON)",
    unset: "unset: nowhere",
    expected: "an http or https URL without a password",
    example: "http://127.0.0.1:4318"
  }, (variable) => Config.schema(Schema.URLFromString.check(Schema.makeFilter(isCollector)), variable)),
  LOG_LEVEL: setting({
    variable: "LOG_LEVEL",
    meaning: "the least level that is logged",
    fallback: "info",
    expected: "one of trace, debug, info, warn, error, fatal, none",
    example: "debug"
  }, (variable) => Config.Literals(["trace", "debug", "info", "warn", "error", "fatal", "none"], variable)),
  LOG_FORMAT: optionalSetting({
    variable: "LOG_FORMAT",
    meaning: "how log lines look",
    unset: "`pretty` on a terminal, else `json`",
    expected: "pretty or json",
    example: "json"
  }, (variable) => Config.Literals(["pretty", "json"], variable))
}
