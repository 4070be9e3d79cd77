import { Duration, Schedule } from "effect"
import { webhookSettings } from "../../webhooks/model/WebhookSettings.ts"

/** The variables that shorten what would take a day; each names durations. */
export const shortened = {
  WEBHOOK_RETRY_SCHEDULE: "1 second,2 seconds,2 seconds,3 seconds,3 seconds,4 seconds,4 seconds",
  WEBHOOK_HOLD_BASE: "5 seconds"
} as const

const brief = (durations: string) => durations.split(",").join(", ").replaceAll(/ (s|min|h)(?:econd|ute|our)s?/g, " $1")

const instead = (variable: keyof typeof shortened) =>
  `${brief(shortened[variable])} instead of ${brief(webhookSettings[variable].fallback)}`

/** The waits that are shorter than in production, a line each. */
export const shortenedLines: ReadonlyArray<string> = [
  `waits are shortened for the demo: ${instead("WEBHOOK_RETRY_SCHEDULE")};`,
  `the first hold of a failing endpoint: ${instead("WEBHOOK_HOLD_BASE")}`
]

/** `1.2 s`, for people. */
export const seconds = (duration: Duration.Duration): string => `${Duration.toSeconds(duration).toFixed(1)} s`

/** Between two looks whether something has happened. */
export const pollEvery = Schedule.spaced("100 millis")
