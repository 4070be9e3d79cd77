import { Schema } from "effect"
import { ApiError } from "../../../platform/http/ApiError.ts"
import { Count } from "../../../platform/http/Count.ts"
import { field } from "../../../platform/http/Field.ts"
import { Timestamp } from "../../../platform/http/Timestamp.ts"
import { Instant, InstantOrNull } from "../../../platform/schema/Instant.ts"

/** The most events of an outage. */
export const mostEvents = 10_000

/** The most events shown one by one. */
export const mostShown = 20

/** Into how many bars the time is divided at most. */
export const mostBars = 48

const between = (minimum: number, maximum: number) => Schema.isBetween({ minimum, maximum })

export const SimulateOutage = Schema.Struct({
  from: Timestamp.pipe(field("From when on nothing is accepted", "2026-04-01T09:00:00Z")),
  to: Timestamp.pipe(field("From when on everything is accepted again, up to 31 days later", "2026-04-01T15:00:00Z")),
  events_per_hour: Schema.Finite.check(between(0.01, 3600)).pipe(field("How many events there are in an hour", 12)),
  attempt_seconds: Schema.optionalKey(Schema.Int.check(between(0, 15)))
    .pipe(field("How long each failing attempt takes: 15 if nothing answers; at once unless it is sent", 0)),
  retry_after_seconds: Schema.optionalKey(Schema.NullOr(Schema.Int.check(between(0, 86_400))))
    .pipe(field("How many seconds each answer asks to wait by Retry-After; no Retry-After unless it is sent", null))
})
export type SimulateOutage = typeof SimulateOutage.Type

const Seconds = Schema.NullOr(Count)

const Landed = Schema.Struct({
  p50_seconds: Seconds.pipe(field("How long half of them took at most", 3600)),
  p95_seconds: Seconds.pipe(field("How long 95 of 100 took at most", 18_000)),
  max_seconds: Seconds.pipe(field("How long the slowest took", 21_600))
})

export const WebhookOutage = Schema.Struct({
  events: Count.pipe(field("How many events there are in the outage", 72)),
  delivered: Count.pipe(field("How many of them are delivered in the end", 72)),
  failed: Count.pipe(field("How many fail their last attempt; recovering sends them", 0)),
  canceled: Count.pipe(field("How many are canceled as the endpoint is disabled; recovering sends them", 0)),
  expired: Count.pipe(field("How many wait for longer than deliveries may", 0)),
  not_kept: Count.pipe(field("How many come once the endpoint is disabled, and are not kept for it", 0)),
  delayed_after: Count.pipe(field("How many later events wait, since the endpoint is still held", 3)),
  attempts: Count.pipe(field("The number of attempts", 84)),
  last_delivered_at: InstantOrNull.pipe(field("When the last of them is delivered; null if no event is")),
  delay: Landed.pipe(field("How long the delivered ones take; null if no event is delivered")),
  held_from: InstantOrNull.pipe(field("From when on only one attempt at a time is sent; null if that never happens")),
  held_until: InstantOrNull.pipe(field("When an attempt ends that; null where that never happens")),
  disabled_at: InstantOrNull
    .pipe(field("When the endpoint is disabled for failing; null where that does not happen", null)),
  landings: Schema.Array(Schema.Struct({
    at: Instant.pipe(field("When this stretch begins")),
    delivered: Count.pipe(field("How many are delivered in it", 40))
  })).pipe(field("When they are delivered: up to 48 equal stretches, from the beginning to the last")),
  sample: Schema.Array(Schema.Struct({
    created_at: Instant.pipe(field("When the event comes")),
    attempts: Schema.Array(Instant).pipe(field("When each attempt begins")),
    outcome: Schema.Literals(["delivered", "failed", "canceled", "expired"]).pipe(field("Its result")),
    ended_at: Instant.pipe(field("When that is decided"))
  })).pipe(field("Up to 20 of them, from the first to the last"))
}).annotate({ identifier: "WebhookOutage", description: "The events of an outage, and their results" })
export type WebhookOutage = typeof WebhookOutage.Type

/** There is nothing between the two, or they are too far apart. */
export class OutageEnds extends ApiError<OutageEnds>()("OutageEnds", {
  status: 422,
  code: "outage_length_invalid",
  message: {
    en: "to must be later than from, by 31 days at most",
    "pt-BR": "O fim precisa vir depois do começo, no máximo 31 dias depois."
  }
}) {}

/** The outage has more events than a simulation takes. */
export class OutageTooLarge extends ApiError<OutageTooLarge>()("OutageTooLarge", {
  status: 422,
  code: "outage_too_large",
  message: {
    en: `An outage has ${mostEvents} events at most: simulate a shorter one, or fewer events_per_hour`,
    "pt-BR": "Eventos demais: simule uma queda mais curta ou menos eventos por hora."
  }
}) {}
