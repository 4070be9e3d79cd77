import { DateTime, Duration, Effect } from "effect"
import {
  mostBars,
  mostEvents,
  mostShown,
  OutageEnds,
  OutageTooLarge,
  type SimulateOutage,
  type WebhookOutage
} from "./Outage.ts"
import { type Course, type Journey, type Outage, type Rules, runOutage, waitsOf } from "./outageRun.ts"

const hour = Duration.toMillis("1 hour")

const longestOutage = Duration.toMillis("31 days")

const moment = (millis: number | null) => millis === null ? null : DateTime.makeUnsafe(millis)

/** In whole seconds, rounded up: how long that share of the delays is at most; null without any. */
const share = (delays: ReadonlyArray<number>, part: number) => {
  const delay = delays[Math.ceil(part * delays.length) - 1]
  return delay === undefined ? null : Math.ceil(delay / 1000)
}

/** Equal stretches of time, and how many ended in each. */
const barsOf = (ends: ReadonlyArray<number>, from: number): WebhookOutage["landings"] => {
  const last = ends.at(-1)
  if (last === undefined) return []
  // In whole minutes, so that stretches begin at times that one can read.
  const stretch = Math.max(1, Math.ceil((last - from + 1) / mostBars / 60_000)) * 60_000
  const counts = Array.from({ length: Math.floor((last - from) / stretch) + 1 }, () => 0)
  for (const end of ends) {
    const place = Math.floor((end - from) / stretch)
    counts[place] = (counts[place] ?? 0) + 1
  }
  return counts.map((delivered, place) => ({ at: DateTime.makeUnsafe(from + place * stretch), delivered }))
}

const shownOf = (journeys: ReadonlyArray<Journey>): WebhookOutage["sample"] => {
  const places = journeys.length <= mostShown
    ? journeys.map((_, place) => place)
    : Array.from({ length: mostShown }, (_, n) => Math.round(n * (journeys.length - 1) / (mostShown - 1)))
  return places.flatMap((place) => {
    const journey = journeys[place]
    if (journey === undefined || journey.outcome === "pending") return []
    const { attempts, created, ended, outcome } = journey
    return [{
      created_at: DateTime.makeUnsafe(created),
      attempts: attempts.map((at) => DateTime.makeUnsafe(at)),
      outcome,
      ended_at: DateTime.makeUnsafe(ended)
    }]
  })
}

const summaryOf = (
  { disabledAt, heldFrom, heldUntil, journeys }: Course,
  { from, interval, to }: Outage
): WebhookOutage => {
  const inside = journeys.filter(({ created }) => created < to)
  const count = (outcome: Journey["outcome"]) => inside.filter((journey) => journey.outcome === outcome).length
  const delivered = inside.filter(({ outcome }) => outcome === "delivered")
  const ends = delivered.map(({ ended }) => ended).toSorted((one, other) => one - other)
  const delays = delivered.map(({ created, ended }) => ended - created).toSorted((one, other) => one - other)
  const events = Math.ceil((to - from) / interval)
  return {
    events,
    delivered: delivered.length,
    failed: count("failed"),
    canceled: count("canceled"),
    expired: count("expired"),
    not_kept: events - inside.length,
    delayed_after: journeys.filter(({ created, ended }) => created >= to && ended > created).length,
    attempts: inside.reduce((sum, { attempts }) => sum + attempts.length, 0),
    last_delivered_at: moment(ends.at(-1) ?? null),
    delay: { p50_seconds: share(delays, 0.5), p95_seconds: share(delays, 0.95), max_seconds: share(delays, 1) },
    held_from: moment(heldFrom),
    held_until: moment(heldUntil),
    disabled_at: moment(disabledAt),
    landings: barsOf(ends, from),
    sample: shownOf(inside)
  }
}

/** Says what would become of the events of an outage (`runOutage`), or why that is not reckoned. */
export const simulateOutage = Effect.fn("simulateOutage")(function*(
  { attempt_seconds = 0, events_per_hour, from, retry_after_seconds = null, to }: SimulateOutage,
  rules: Rules
) {
  const outage = {
    from: DateTime.toEpochMillis(from),
    to: DateTime.toEpochMillis(to),
    interval: hour / events_per_hour,
    takes: Math.min(attempt_seconds * 1000, Duration.toMillis(rules.attempt_timeout)),
    retryAfter: retry_after_seconds === null ? null : retry_after_seconds * 1000
  }
  const length = outage.to - outage.from
  if (length <= 0 || length > longestOutage) return yield* new OutageEnds()
  // A disabled endpoint gets no new events.
  const kept = Math.min(length, Duration.toMillis(rules.disable_after))
  if (kept / outage.interval > mostEvents) return yield* new OutageTooLarge()
  return summaryOf(runOutage(outage, rules, yield* waitsOf(rules, outage.retryAfter)), outage)
})
