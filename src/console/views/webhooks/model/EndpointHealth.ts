import { millisOf } from "../../../../browser/client/Time.ts"
import type { Schemas } from "../../../../sdk/index.ts"

// How an endpoint stands, out of what the API says of it. Pure.

export type Endpoint = Schemas["WebhookEndpoint"]
export type Diagnosis = Schemas["WebhookDiagnosis"]

/** In the order of how much they want somebody to look. */
export const endpointHealths = [
  "disabled_failing",
  "held",
  "failing",
  "disabled",
  "paused",
  "untried",
  "listening",
  "delivering"
] as const

/** How an endpoint stands, in a word. */
export type EndpointHealth = (typeof endpointHealths)[number]

/** The fields of an endpoint that decide its state. */
export type HealthFacts = Pick<
  Endpoint,
  | "consecutive_failures"
  | "disabled_reason"
  | "hold_until"
  | "kind"
  | "last_failure_at"
  | "last_success_at"
  | "status"
>

/** How it stands. */
export const healthOf = (endpoint: HealthFacts): EndpointHealth => {
  const { consecutive_failures, disabled_reason, hold_until, kind, last_failure_at, last_success_at, status } = endpoint
  if (status === "disabled") return disabled_reason === "failing" ? "disabled_failing" : "disabled"
  if (status === "paused") return "paused"
  if (kind === "listener") return "listening"
  if (hold_until !== null) return "held"
  if (consecutive_failures > 0) return "failing"
  return last_success_at === null && last_failure_at === null ? "untried" : "delivering"
}

/** The phase of a hold: until its next attempt, with attempts one by one, or with nothing to try. */
export type HoldPhase = "held" | "held_empty" | "probing"

/**
 * The phase of a hold, from the time of the next attempt. That may be long after the hold, if nothing is due before.
 */
export const holdPhaseOf = (nextAttemptAt: string | null, now: number): HoldPhase =>
  nextAttemptAt === null ? "held_empty" : millisOf(nextAttemptAt) > now ? "held" : "probing"

/** True if somebody should look at it. */
export const wantsHelp = (health: EndpointHealth): boolean =>
  health === "disabled_failing" || health === "held" || health === "failing"

/** The name of an endpoint: its description, or otherwise its address. */
export const nameOf = ({ description, kind, url }: Pick<Endpoint, "description" | "kind" | "url">): string => {
  if (description !== "") return description
  return kind === "https" ? url.replace(/^https:\/\//, "").replace(/\/$/, "") : url
}
