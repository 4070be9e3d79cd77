import type { Tone } from "../../output/Table.ts"
import { at, momentAt } from "../../remote/Shown.ts"

const tones: Readonly<Record<string, Tone>> = {
  enabled: "good",
  succeeded: "good",
  paused: "waiting",
  pending: "waiting",
  disabled: "bad",
  failed: "bad",
  canceled: "bad"
}

/** How a status of an endpoint or of a delivery is coloured. */
export const toneOf = (status: string): Tone => tones[status] ?? "plain"

/** An endpoint in a list. */
export const endpointColumns = [
  at("ID", "id"),
  { ...at("STATUS", "status"), tone: toneOf },
  at("FAILURES", "consecutive_failures"),
  at("URL", "url"),
  at("EVENTS", "event_types")
]

/** An endpoint by itself. */
export const endpointFields = [
  at("ID", "id"),
  at("URL", "url"),
  at("Note", "description"),
  { ...at("Status", "status"), tone: toneOf },
  at("Events", "event_types"),
  at("Failures in a row", "consecutive_failures"),
  momentAt("Held until", "hold_until"),
  momentAt("Accepted last", "last_success_at"),
  momentAt("Failed last", "last_failure_at"),
  momentAt("Registered", "created_at")
]

/** A delivery in a list. */
export const deliveryColumns = [
  at("ID", "id"),
  { ...at("STATUS", "status"), tone: toneOf },
  at("EVENT", "event_type"),
  at("ATTEMPTS", "attempts_count"),
  at("ANSWER", "last_status_code"),
  at("ERROR", "last_error"),
  momentAt("CREATED", "created_at"),
  momentAt("NEXT", "next_attempt_at")
]

/** A delivery by itself. */
export const deliveryFields = [
  at("ID", "id"),
  at("Endpoint", "endpoint_id"),
  at("Event", "event_id"),
  at("Type", "event_type"),
  { ...at("Status", "status"), tone: toneOf },
  at("Canceled because", "cancel_reason"),
  at("Attempts", "attempts_count"),
  at("Last answer", "last_status_code"),
  at("Last error", "last_error"),
  momentAt("Created", "created_at"),
  momentAt("Last attempt", "last_attempt_at"),
  momentAt("Next attempt", "next_attempt_at"),
  momentAt("Finished", "finished_at"),
  at("Student", "student_id")
]

/** An attempt in the list of its delivery. */
export const attemptColumns = [
  at("ATTEMPT", "number"),
  at("TRIGGER", "trigger"),
  momentAt("STARTED", "started_at"),
  at("MS", "duration_ms"),
  at("ANSWER", "status_code"),
  at("ERROR", "error"),
  at("BODY", "response_body")
]
