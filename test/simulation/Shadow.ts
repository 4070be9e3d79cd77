import { DateTime } from "effect"
import { phaseNames } from "../../src/webhooks/model/AttemptPhases.ts"
import type { CancelReason, DeliveryStatus, Trigger } from "../../src/webhooks/model/DeliveryStatus.ts"
import type { DeliveryState } from "../webhooks/engine/dispatch/DeliveryMachine.ts"
import type { Change, Row } from "./Journal.ts"

// A copy of the database's rows, built from the journal. Times are in milliseconds.

const millis = (value: unknown): number | null => value === null || value === undefined ? null : Date.parse(`${value}`)
const time = (value: unknown): number => millis(value) ?? Number.NaN
const text = (value: unknown): string | null => value === null || value === undefined ? null : `${value}`
const hex = (value: unknown): string | null => text(value)?.replace("\\x", "") ?? null
const oneOf = <const A extends string>(value: unknown, ...options: ReadonlyArray<A>): A => {
  const found = options.find((option) => option === value)
  if (found === undefined) throw new Error(`The journal tells of ${String(value)}`)
  return found
}
const at = (value: unknown): DateTime.Utc | null => {
  const found = millis(value)
  return found === null ? null : DateTime.makeUnsafe(found)
}

const statuses: ReadonlyArray<DeliveryStatus> = ["pending", "succeeded", "failed", "canceled"]
const triggers: ReadonlyArray<Trigger> = ["schedule", "manual", "test", "recover"]
const reasons: ReadonlyArray<CancelReason> = ["expired", "student_removed", "endpoint_disabled", "endpoint_deleted"]

export const endpointOf = (row: Row) => ({
  id: `${row["id"]}`,
  club: `${row["club_id"]}`,
  url: `${row["url"]}`,
  status: oneOf(row["status"], "enabled", "paused", "disabled"),
  types: Array.isArray(row["event_types"]) ? row["event_types"].map(String) : [],
  reason: text(row["disabled_reason"]),
  deletedAt: millis(row["deleted_at"]),
  filter: row["filter"],
  signing: oneOf(row["signing"], "hmac", "both"),
  /** Public key of Ed25519 in hexadecimal; null without one. */
  publicKey: hex(row["public_key"]),
  /** True if its administrators get mails about it. */
  notices: row["notices"] === true
})
export type Endpoint = ReturnType<typeof endpointOf>

/** A secret that a rotation replaced. */
export const previousSecretOf = (row: Row) => ({
  endpoint: `${row["endpoint_id"]}`,
  key: `${row["endpoint_id"]} ${row["number"]}`,
  number: Number(row["number"]),
  publicKey: hex(row["public_key"]),
  expires: time(row["expires_at"]),
  /** True once administrators got the notice of its end. */
  isTold: row["end_told"] === true
})
export type PreviousSecret = ReturnType<typeof previousSecretOf>

/** Number of attempts that may begin in a second; null if unlimited. */
const rateOf = (row: Row) => {
  const rates = [row["max_per_second"], row["drain_rate"]].filter((rate) => rate !== null).map(Number)
  return rates.length === 0 ? null : Math.min(...rates)
}

export const laneOf = (row: Row) => ({
  endpoint: `${row["endpoint_id"]}`,
  dueAt: millis(row["due_at"]),
  lease: text(row["lease_id"]),
  wakes: Number(row["wakes"]),
  epoch: Number(row["breaker_epoch"]),
  failures: Number(row["consecutive_failures"]),
  holds: Number(row["holds"]),
  holdUntil: millis(row["hold_until"]),
  failingSince: millis(row["failing_since"]),
  heldSince: millis(row["held_since"]),
  succeededAt: millis(row["last_success_at"]),
  drainUntil: millis(row["drain_until"]),
  atOnce: row["max_in_flight"] === null ? null : Number(row["max_in_flight"]),
  rate: rateOf(row),
  recoveryRate: typeof row["recovery_rate"] === "number" ? row["recovery_rate"] : null
})
export type Lane = ReturnType<typeof laneOf>

const stateOf = (row: Row): DeliveryState => ({
  status: oneOf(row["status"], ...statuses),
  cancel_reason: row["cancel_reason"] === null ? null : oneOf(row["cancel_reason"], ...reasons),
  body_erased: row["body_erased"] === true,
  attempts_count: Number(row["attempts_count"]),
  step: Number(row["rung"]),
  trigger: oneOf(row["trigger"], ...triggers),
  once: row["once"] === true,
  next_attempt_at: at(row["next_attempt_at"]),
  finished_at: at(row["finished_at"])
})

export const deliveryOf = (row: Row) => ({
  id: `${row["id"]}`,
  endpoint: `${row["endpoint_id"]}`,
  event: `${row["event_id"]}`,
  type: `${row["event_type"]}`,
  student: text(row["student_id"]),
  created: time(row["created_at"]),
  /** The recovery that moved it last. */
  recovery: text(row["recovery_id"]),
  state: stateOf(row)
})
export type Delivery = ReturnType<typeof deliveryOf>

export const attemptOf = (row: Row) => ({
  id: `${row["id"]}`,
  delivery: `${row["delivery_id"]}`,
  number: Number(row["number"]),
  trigger: oneOf(row["trigger"], ...triggers),
  started: time(row["started_at"]),
  ended: time(row["started_at"]) + Number(row["duration_ms"]),
  error: text(row["error"]),
  hasResponse: row["has_response"] === true,
  phases: phaseNames.map((name) => row[name]),
  isReused: row["connection_reused"],
  retryAfter: row["retry_after_seconds"] === null ? null : Number(row["retry_after_seconds"])
})
export type Attempt = ReturnType<typeof attemptOf>

export const messageOf = (row: Row) => ({
  id: `${row["id"]}`,
  type: `${row["type"]}`,
  student: text(row["student_id"]),
  created: time(row["created_at"]),
  hasBody: row["has_body"] === true,
  /** Its body as it was assembled; undefined in later versions of the row. */
  told: row["told"]
})
export type Message = ReturnType<typeof messageOf>

const factOf = (row: Row) => ({
  id: `${row["id"]}`,
  type: `${row["type"]}`,
  student: `${row["student_id"]}`,
  occurred: time(row["occurred_at"]),
  due: time(row["due_at"])
})
export type StoredFact = ReturnType<typeof factOf>

/** A fact that left the outbox, and the endpoints that list its type at that moment, with their places and filters. */
export const takenOf = (row: Row) => ({
  ...factOf(row),
  place: Number(row["place"]),
  club: `${row["club_id"]}`,
  isErased: row["is_erased"] === true,
  listing: Array.isArray(row["listing"])
    ? row["listing"].map((one) => ({
      id: `${Object(one)["id"]}`,
      filter: Object(one)["filter"],
      place: Number(Object(one)["place"])
    }))
    : []
})

const count = (row: Row, column: string) => Number(row[column])

/** A recovery as a job. */
export const recoveryOf = (row: Row) => ({
  id: `${row["id"]}`,
  endpoint: `${row["endpoint_id"]}`,
  status: oneOf(row["status"], "counting", "previewed", "running", "paused", "completed", "canceled"),
  since: time(row["since"]),
  until: millis(row["until"]),
  types: Array.isArray(row["event_types"]) ? row["event_types"].map(String) : null,
  isNewestFirst: row["newest_first"] === true,
  rate: row["rate"] === null ? null : count(row, "rate"),
  total: Number(Object(row["preview"])["total"]),
  moved: count(row, "moved"),
  succeeded: count(row, "succeeded"),
  failed: count(row, "failed"),
  canceled: count(row, "canceled"),
  reachedEnd: row["reached_end"] === true,
  dueAt: millis(row["due_at"]),
  created: time(row["created_at"])
})
export type Recovery = ReturnType<typeof recoveryOf>

/** A delivery that a recovery has moved, and has not counted as ended. */
export const moveOf = (row: Row) => ({
  recovery: `${row["recovery_id"]}`,
  delivery: `${row["delivery_id"]}`,
  key: `${row["recovery_id"]} ${row["delivery_id"]}`,
  attempts: count(row, "attempts_count")
})
export type Move = ReturnType<typeof moveOf>

/** All tables, as they are now. */
export class Shadow {
  readonly endpoints = new Map<string, Endpoint>()
  readonly previousSecrets = new Map<string, PreviousSecret>()
  readonly lanes = new Map<string, Lane>()
  readonly deliveries = new Map<string, Delivery>()
  readonly attempts = new Map<string, Array<Attempt>>()
  readonly messages = new Map<string, Message>()
  readonly outbox = new Map<string, StoredFact>()
  readonly recoveries = new Map<string, Recovery>()
  readonly moves = new Map<string, Move>()
  readonly erased = new Set<string>()
  mails = 0

  apply({ is, was, what }: Change): void {
    const put = <A>(map: Map<string, A>, key: string, read: (row: Row) => A) => {
      if (is !== undefined) map.set(`${is[key]}`, read(is))
      else if (was !== undefined) map.delete(`${was[key]}`)
    }
    if (what === "webhook_endpoints") put(this.endpoints, "id", endpointOf)
    if (what === "webhook_previous_secrets") {
      if (was !== undefined) this.previousSecrets.delete(previousSecretOf(was).key)
      if (is !== undefined) this.previousSecrets.set(previousSecretOf(is).key, previousSecretOf(is))
    }
    if (what === "webhook_recoveries") put(this.recoveries, "id", recoveryOf)
    if (what === "webhook_recovery_moves") {
      if (was !== undefined) this.moves.delete(moveOf(was).key)
      if (is !== undefined) this.moves.set(moveOf(is).key, moveOf(is))
    }
    if (what === "webhook_lanes") put(this.lanes, "endpoint_id", laneOf)
    if (what === "webhook_deliveries") put(this.deliveries, "id", deliveryOf)
    if (what === "webhook_messages") put(this.messages, "id", messageOf)
    if (what === "event_outbox") put(this.outbox, "id", factOf)
    if (what === "erased_students" && is !== undefined) this.erased.add(`${is["student_id"]}`)
    if (what === "mails" && was === undefined) this.mails += 1
    if (what === "webhook_attempts" && is !== undefined) {
      const attempt = attemptOf(is)
      const others = (this.attempts.get(attempt.delivery) ?? []).filter(({ id }) => id !== attempt.id)
      this.attempts.set(attempt.delivery, [...others, attempt])
    }
  }
}
