import { DateTime } from "effect"
import type { Entry } from "./Ledger.ts"
import type { Accepted } from "./Load.ts"
import type { Post } from "./Target.ts"
import { type Kill, wasInFlight } from "./Workers.ts"

/** A time without PostgreSQL, in which nothing could be recorded. Epoch milliseconds. */
export interface Outage {
  readonly from: number
  readonly until: number
}

/** The evidence for all rules. */
export interface Evidence {
  readonly accepted: ReadonlyArray<Accepted>
  readonly ledger: ReadonlyArray<Entry>
  readonly posts: ReadonlyArray<Post>
  readonly kills: ReadonlyArray<Kill>
  readonly outages: ReadonlyArray<Outage>
  /** Milliseconds from an answer to its recorded result at most, while all is well. */
  readonly recording: number
}

const keyOf = ({ event, path }: { readonly event: string; readonly path: string }) => `${event} at ${path}`

/** Events that were promised to an endpoint which never answered them with 200. */
export const lost = ({ accepted, posts }: Evidence): ReadonlyArray<string> => {
  const reached = new Set(posts.filter(({ status }) => status === 200).map(keyOf))
  return accepted.flatMap(({ event, paths }) => paths.map((path) => keyOf({ event, path })))
    .filter((key) => !reached.has(key))
}

/** Events without exactly one row for each promised endpoint, with a row too many, or received without a row. */
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

/** Deliveries that did not succeed, or still have a next attempt. */
export const stuck = ({ ledger }: Evidence): ReadonlyArray<string> =>
  ledger.filter(({ owed, status }) => owed || status !== "succeeded").map((entry) => `${keyOf(entry)}: ${entry.status}`)

/** Deliveries with attempts that are not numbered 1, 2 and so on up to their count, or go on after a success. */
export const gaps = ({ ledger }: Evidence): ReadonlyArray<string> =>
  ledger.filter(({ attempts, attempts_count }) =>
    attempts.length !== attempts_count || attempts.some(({ number }, index) => number !== index + 1) ||
    attempts.findIndex(({ status_code }) => status_code === 200) !== attempts.length - 1
  ).map((entry) => `${keyOf(entry)}: ${entry.attempts.map(({ number }) => number).join()} of ${entry.attempts_count}`)

/** Milliseconds of difference between two clocks: phases use one that never jumps, an attempt's time one that may. */
const clocksApart = 5

/** Attempts with an answer but without phases, or with phases that together are longer than the attempt. */
export const unphased = ({ ledger }: Pick<Evidence, "ledger">, isOwn: (path: string) => boolean) =>
  ledger.filter(({ path }) => !isOwn(path)).flatMap((entry) =>
    entry.attempts.filter(({ duration_ms, phases_ms, status_code }) =>
      phases_ms === null ? status_code !== null : phases_ms > duration_ms + clocksApart
    ).map(({ duration_ms, number, phases_ms }) => `${keyOf(entry)}, ${number}: ${phases_ms} of ${duration_ms} ms`)
  )

/**
 * POSTs that were answered with 200 and have no attempt: receivers see these twice, since they are sent again. An
 * attempt recorded without the status of its answer accounts for one POST.
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

/** Counts the POSTs in flight at a kill or when PostgreSQL went away, and the duplicates among them. */
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
    /** Duplicates although their worker lived and PostgreSQL was there. */
    unexplained: twice.filter((post) => !atKills.has(post) && !atOutages.has(post)).map(keyOf)
  }
}
