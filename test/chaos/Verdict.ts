import { DateTime } from "effect"
import type { Entry } from "./Ledger.ts"
import type { Accepted } from "./Load.ts"
import type { Post } from "./Target.ts"
import { type Kill, wasInFlight } from "./Workers.ts"

/** While PostgreSQL was away nothing could be recorded. Epoch milliseconds. */
export interface Outage {
  readonly from: number
  readonly until: number
}

/** What is judged. */
export interface Evidence {
  readonly accepted: ReadonlyArray<Accepted>
  readonly ledger: ReadonlyArray<Entry>
  readonly posts: ReadonlyArray<Post>
  readonly kills: ReadonlyArray<Kill>
  readonly outages: ReadonlyArray<Outage>
  /** A result is recorded within so many milliseconds of its answer, while all is well. */
  readonly recording: number
}

const keyOf = ({ event, path }: { readonly event: string; readonly path: string }) => `${event} at ${path}`

/** Promised to an endpoint that never said 200 to it. */
export const lost = ({ accepted, posts }: Evidence): ReadonlyArray<string> => {
  const reached = new Set(posts.filter(({ status }) => status === 200).map(keyOf))
  return accepted.flatMap(({ event, paths }) => paths.map((path) => keyOf({ event, path })))
    .filter((key) => !reached.has(key))
}

/** Promised and without exactly one row for each endpoint, or with a row where none belongs, or received without one. */
export const misplaced = ({ accepted, ledger, posts }: Evidence): ReadonlyArray<string> => {
  const rows = Map.groupBy(ledger, keyOf)
  const promised = new Map(accepted.map(({ event, paths }) => [event, paths]))
  const missing = [
    ...accepted.flatMap(({ event, paths }) => paths.map((path) => keyOf({ event, path }))),
    ...posts.map(keyOf)
  ].filter((key) => !rows.has(key))
  const twice = [...rows].filter(([, entries]) => entries.length > 1).map(([key]) => key)
  const foreign = ledger.filter(({ event, path }) => promised.get(event)?.includes(path) === false).map(keyOf)
  return [...new Set([...missing, ...twice, ...foreign])]
}

/** Not succeeded, or still owed an attempt. */
export const stuck = ({ ledger }: Evidence): ReadonlyArray<string> =>
  ledger.filter(({ owed, status }) => owed || status !== "succeeded").map((entry) => `${keyOf(entry)}: ${entry.status}`)

/** Attempts that are not numbered 1, 2 and so on up to their count, or that go on after a success. */
export const gaps = ({ ledger }: Evidence): ReadonlyArray<string> =>
  ledger.filter(({ attempts, attempts_count }) =>
    attempts.length !== attempts_count || attempts.some(({ number }, index) => number !== index + 1) ||
    attempts.findIndex(({ status_code }) => status_code === 200) !== attempts.length - 1
  ).map((entry) => `${keyOf(entry)}: ${entry.attempts.map(({ number }) => number).join()} of ${entry.attempts_count}`)

/** Phases are measured by a clock that never jumps, an attempt's time by one that may: a few milliseconds apart. */
const clocksApart = 5

/** Attempts of receivers that answered without phases, or with phases that are longer than the attempt together. */
export const unphased = ({ ledger }: Pick<Evidence, "ledger">, isOwn: (path: string) => boolean) =>
  ledger.filter(({ path }) => !isOwn(path)).flatMap((entry) =>
    entry.attempts.filter(({ duration_ms, phases_ms, status_code }) =>
      phases_ms === null ? status_code !== null : phases_ms > duration_ms + clocksApart
    ).map(({ duration_ms, number, phases_ms }) => `${keyOf(entry)}, ${number}: ${phases_ms} of ${duration_ms} ms`)
  )

/**
 * POSTs that were answered with 200 and are in no attempt: what is sent again because of them is what a receiver sees
 * twice. An attempt that was recorded without a status although its receiver answered accounts for one answer.
 */
const unrecorded = ({ ledger, posts }: Evidence): ReadonlyArray<Post> => {
  const received = Map.groupBy(posts, keyOf)
  return ledger.flatMap((entry) => {
    const own = received.get(keyOf(entry)) ?? []
    const accepted = own.filter(({ status }) => status === 200)
    const silent = own.filter(({ status }) => status === 0).length
    const unheard = Math.max(0, entry.attempts.filter(({ status_code }) => status_code === null).length - silent)
    const success = entry.attempts.find(({ status_code }) => status_code === 200)
    const recorded =
      accepted.findLast(({ receivedAt }) =>
        success !== undefined && receivedAt >= DateTime.toEpochMillis(success.started_at) - 1 &&
        receivedAt <= DateTime.toEpochMillis(success.started_at) + success.duration_ms + 1
      ) ?? accepted.at(-1)
    return accepted.filter((post) => post !== recorded).slice(unheard)
  })
}

const overtakenBy = ({ from, until }: Outage, { answeredAt = Infinity, receivedAt }: Post, recording: number) =>
  receivedAt <= until && answeredAt >= from - recording

/** What the receiver had under way at a kill or when PostgreSQL went away, and what of all that it got twice. */
export const duplicates = (evidence: Evidence) => {
  const { kills, outages, posts, recording } = evidence
  const twice = unrecorded(evidence)
  const atKills = new Set(posts.filter((post) => kills.some((kill) => wasInFlight(kill, post, recording))))
  const atOutages = new Set(posts.filter((post) => outages.some((outage) => overtakenBy(outage, post, recording))))
  return {
    inFlightAtKills: atKills.size,
    inFlightAtOutages: atOutages.size,
    duplicates: twice.length,
    ofKills: twice.filter((post) => atKills.has(post)).length,
    ofOutages: twice.filter((post) => atOutages.has(post) && !atKills.has(post)).length,
    /** Sent twice although its worker lived and PostgreSQL was there. */
    unexplained: twice.filter((post) => !atKills.has(post) && !atOutages.has(post)).map(keyOf)
  }
}
