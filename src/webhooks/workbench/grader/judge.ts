import type { AttemptError } from "../../model/AttemptError.ts"
import { findingWords, notReached, refusesAll } from "./FindingWords.ts"
import { isBad, type ProbeName } from "./ProbeName.ts"
import type { Finding, FindingCode, Grade, Observation, Report } from "./Report.ts"

/** An answer that takes longer is close to the deadline of 15 s, and holds up what waits. */
const slowAfter = 5000

/** Of an answer 2,048 bytes are kept, cut between characters. */
const cutAt = 2045

const severities: Record<Finding["severity"], number> = { error: 0, warning: 1, advice: 2 }

const found = (
  severity: Finding["severity"],
  code: FindingCode,
  shown: ReadonlyArray<Observation>,
  message = findingWords[code].en
): ReadonlyArray<Finding> =>
  shown.length === 0 ? [] : [{ code, severity, message, probes: shown.map(({ probe }) => probe) }]

const isAccepted = ({ error }: Observation) => error === null
const hasAnswer = ({ status_code }: Observation) => status_code !== null
/** Nothing shows what it would have said otherwise. */
const isBusy = ({ status_code }: Observation) => status_code === 429 || status_code === 503

/** The findings for probes without an answer. */
const silences = {
  timeout: "no_answer_in_time",
  connection: "ends_connection",
  dns: "no_address",
  address_not_allowed: "private_address",
  tls: "breaks_tls",
  protocol: "breaks_http"
} as const satisfies Partial<Record<AttemptError, FindingCode>>

const unreached = (observations: ReadonlyArray<Observation>): ReadonlyArray<Finding> =>
  found("error", "not_reached", observations, notReached(observations).en)

const silent = (good: ReadonlyArray<Observation>) =>
  Object.entries(silences).flatMap(([error, code]) => found("error", code, good.filter((one) => one.error === error)))

const refusals: ReadonlyArray<readonly [ReadonlyArray<ProbeName>, Finding["severity"], FindingCode]> = [
  [["right"], "error", "refuses_right_deliveries"],
  [["repeated"], "error", "refuses_repeated"],
  [["later_first", "earlier_second"], "error", "refuses_reordered"],
  [["unknown_fields"], "error", "breaks_on_unknown_fields"],
  [["unusual_json"], "error", "verifies_rewritten_json"],
  [["large"], "warning", "refuses_large"],
  [["rotated"], "error", "refuses_rotated"],
  [["newest_alone"], "warning", "lacks_newest_secret"]
]

/** Of right deliveries that were answered, what was refused. */
const refused = (good: ReadonlyArray<Observation>): ReadonlyArray<Finding> => {
  const answered = good.filter((one) => hasAnswer(one) && !isBusy(one))
  const redirected = answered.filter(({ error }) => error === "redirect")
  const rest = answered.filter(({ error }) => error === "http_status")
  const redirects = found("error", "redirects", redirected)
  if (rest.length === answered.length && !good.some(isBusy)) {
    return found("error", "refuses_right_deliveries", rest, refusesAll)
  }
  return [
    ...redirects,
    ...refusals.flatMap(([names, severity, code]) =>
      found(severity, code, rest.filter(({ probe }) => names.includes(probe)))
    )
  ]
}

const acceptances: ReadonlyArray<readonly [ProbeName, FindingCode]> = [
  ["wrong_signature", "accepts_wrong_signature"],
  ["unsigned", "accepts_unsigned"],
  ["other_body", "accepts_other_body"],
  ["old", "accepts_old"],
  ["future", "accepts_future"]
]

const accepted = (bad: ReadonlyArray<Observation>): ReadonlyArray<Finding> => {
  const taken = bad.filter(isAccepted)
  if (taken.length === bad.length) {
    return found("error", "verifies_nothing", taken)
  }
  return acceptances.flatMap(([name, code]) => found("error", code, taken.filter(({ probe }) => probe === name)))
}

const advised = (all: ReadonlyArray<Observation>, good: ReadonlyArray<Observation>): ReadonlyArray<Finding> => {
  const slow = all.filter((one) => hasAnswer(one) && one.duration_ms > slowAfter)
  const known = all.filter((one) => hasAnswer(one) && one.connection_reused !== null)
  // We end the connection ourselves if more of an answer comes than we keep.
  const opensEach = known.length > 2 && known.every(({ connection_reused }) => connection_reused === false) &&
    !known.some(({ response_body }) => Buffer.byteLength(response_body ?? "") >= cutAt)
  const repeated = good.filter((one) => one.probe === "repeated" && isAccepted(one))
  return [
    ...found("warning", "slow", slow),
    ...found("warning", "calls_first_repeated", good.filter((one) => one.probe !== "repeated" && one.seen === true)),
    ...found("warning", "forgets_repeats", repeated.filter(({ seen }) => seen === false)),
    ...found("warning", "was_busy", all.filter(isBusy)),
    ...found("advice", "connections_not_reused", opensEach ? known : [])
  ]
}

/** True if an answer, or the end of a connection, shows that a delivery was refused. */
const isRefusal = (one: Observation) =>
  !isAccepted(one) && !isBusy(one) && (hasAnswer(one) || one.error === "connection")

/** Of one whose wrong deliveries were not answered nobody knows whether it takes them. */
const unverified = (all: ReadonlyArray<Observation>, bad: ReadonlyArray<Observation>): ReadonlyArray<Finding> => {
  const isKnown = bad.some((one) => isAccepted(one) || isRefusal(one))
  return isKnown ? [] : found("error", "signatures_unknown", bad.length > 0 ? bad : all)
}

const forges: ReadonlySet<FindingCode> = new Set(["accepts_wrong_signature", "accepts_unsigned", "accepts_other_body"])
const hopeless: ReadonlySet<FindingCode> = new Set(["not_reached", "verifies_nothing"])

const gradeOf = (findings: ReadonlyArray<Finding>, good: ReadonlyArray<Observation>): Grade => {
  if (findings.some(({ code }) => hopeless.has(code)) || !good.some(isAccepted)) return "F"
  if (findings.some(({ code }) => forges.has(code))) return "E"
  const errors = findings.filter(({ severity }) => severity === "error").length
  if (errors > 0) return errors === 1 ? "C" : "D"
  return findings.some(({ severity }) => severity === "warning") ? "B" : "A"
}

const refuses = (one: Observation) => one.error === "http_status" && !isBusy(one)

/** A receiver that takes what is signed wrongly proves nothing by what it takes. */
const newestSecret = (good: ReadonlyArray<Observation>, bad: ReadonlyArray<Observation>): Report["newest_secret"] => {
  const alone = good.find(({ probe }) => probe === "newest_alone")
  const verifies = bad.some((one) => one.probe === "wrong_signature" && refuses(one))
  const right = good.find(({ probe }) => probe === "right")
  if (alone === undefined || right === undefined || !verifies || !isAccepted(right)) return "unknown"
  if (isAccepted(alone)) return "proved"
  return refuses(alone) ? "lacking" : "unknown"
}

/**
 * The report on all probes, in English sentences, as reports are kept. It accuses a receiver only of faults that a
 * probe saw.
 */
export const judge = (observations: ReadonlyArray<Observation>): Report => {
  const good = observations.filter(({ probe }) => !isBad(probe))
  const bad = observations.filter(({ probe }) => isBad(probe))
  const isReached = observations.some(hasAnswer)
  const findings = isReached
    ? [
      ...accepted(bad),
      ...unverified(observations, bad),
      ...refused(good),
      ...silent(good),
      ...advised(observations, good)
    ]
      .toSorted((one, other) => severities[one.severity] - severities[other.severity])
    : unreached(observations)
  const repeated = good.find(({ probe }) => probe === "repeated")
  return {
    grade: gradeOf(findings, good),
    dedupes: repeated === undefined || !isAccepted(repeated) || repeated.seen === null
      ? "unknown"
      : repeated.seen
      ? "told"
      : "forgets",
    newest_secret: newestSecret(good, bad),
    findings,
    observations
  }
}
