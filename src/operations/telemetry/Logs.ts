import { Effect, Layer, Logger, Option, References } from "effect"
import { jsonLogger, prettyLogger } from "./Redaction.ts"
import { telemetrySettings } from "./TelemetrySettings.ts"

const levels = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  fatal: "Fatal",
  none: "None"
} as const

const LevelLayer = Layer.unwrap(Effect.map(
  telemetrySettings.LOG_LEVEL.read,
  (level) => Layer.succeed(References.MinimumLogLevel, levels[level])
))

const FormatLayer = Layer.unwrap(Effect.map(telemetrySettings.LOG_FORMAT.read, (format) => {
  const shape = Option.getOrElse(format, () => process.stdout.isTTY ? "pretty" : "json")
  return Logger.layer([shape === "pretty" ? prettyLogger : jsonLogger])
}))

/** Structured logs on standard output. */
export const LogsLayer = Layer.merge(FormatLayer, LevelLayer)
