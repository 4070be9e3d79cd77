import type { AttemptError } from "../../model/AttemptError.ts"
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
  message: string,
  shown: ReadonlyArray<Observation>
): ReadonlyArray<Finding> =>
  shown.length === 0 ? [] : [{ code, severity, message, probes: shown.map(({ probe }) => probe) }]

const isAccepted = ({ error }: Observation) => error === null
const hasAnswer = ({ status_code }: Observation) => status_code !== null
/** Nothing shows what it would have said otherwise. */
const isBusy = ({ status_code }: Observation) => status_code === 429 || status_code === 503

/** Why nothing was answered, in words. */
const silences = {
  timeout: [
    "no_answer_in_time",
    "It does not answer in time: an attempt has 15 seconds, unless the operator sets others"
  ],
  connection: ["ends_connection", "No connection can be made, or it is ended before an answer"],
  dns: ["no_address", "Its name has no address at times"],
  address_not_allowed: ["private_address", "Its address is not on the public internet at times"],
  tls: [
    "breaks_tls",
    "It can be reached, and TLS does not work: the handshake is ended or fails, or the certificate is not trusted or is for another name"
  ],
  protocol: ["breaks_http", "What it answers is no HTTP/1.1 answer"]
} as const satisfies Partial<Record<AttemptError, readonly [code: FindingCode, message: string]>>

const reasons: Partial<Record<AttemptError, string>> = {
  ...Object.fromEntries(Object.entries(silences).map(([error, [, message]]) => [error, message])),
  dns: "Its name has no address",
  address_not_allowed: "Its address is not on the public internet"
}

const unreached = (observations: ReadonlyArray<Observation>): ReadonlyArray<Finding> => {
  const why = [...new Set(observations.flatMap(({ error }) => error ?? []))]
    .map((error) => ` (${error}): ${reasons[error] ?? error}`)
  return found(
    "error",
    "not_reached",
    `Nothing was answered${why.join(";")}. Whether it is otherwise right is not known`,
    observations
  )
}

const silent = (good: ReadonlyArray<Observation>) =>
  Object.entries(silences).flatMap(([error, [code, message]]) =>
    found("error", code, message, good.filter((one) => one.error === error))
  )

const refusals: ReadonlyArray<readonly [ReadonlyArray<ProbeName>, Finding["severity"], FindingCode, string]> = [
  [["right"], "error", "refuses_right_deliveries", "It refuses a delivery that is right"],
  [
    ["repeated"],
    "error",
    "refuses_repeated",
    "It refuses what it has had before: answer 2xx to a repeat, or it is sent again and again"
  ],
  [
    ["later_first", "earlier_second"],
    "error",
    "refuses_reordered",
    "It refuses deliveries that come in another order than they happened: order is not promised"
  ],
  [
    ["unknown_fields"],
    "error",
    "breaks_on_unknown_fields",
    "It refuses a body with fields that it does not know: bodies may gain fields"
  ],
  [
    ["unusual_json"],
    "error",
    "verifies_rewritten_json",
    "It refuses JSON with unusual spaces and escapes: verify the bytes as they came, and not a body that was parsed and written again"
  ],
  [["large"], "warning", "refuses_large", "It refuses a body of 200 KB"],
  [
    ["rotated"],
    "error",
    "refuses_rotated",
    "It refuses a delivery of which the second signature is right: during a rotation there are several, and any may match"
  ],
  [
    ["newest_alone"],
    "warning",
    "lacks_newest_secret",
    "It refuses what the newest secret alone signs: nothing is accepted once the one before it ends"
  ]
]

/** Of right deliveries that were answered, what was refused. */
const refused = (good: ReadonlyArray<Observation>): ReadonlyArray<Finding> => {
  const answered = good.filter((one) => hasAnswer(one) && !isBusy(one))
  const redirected = answered.filter(({ error }) => error === "redirect")
  const rest = answered.filter(({ error }) => error === "http_status")
  const redirects = found("error", "redirects", "It redirects: redirects are failures and are not followed", redirected)
  if (rest.length === answered.length && !good.some(isBusy)) {
    const message = "It refuses every right delivery, so what else it refuses shows nothing: does it know the secret?"
    return found("error", "refuses_right_deliveries", message, rest)
  }
  return [
    ...redirects,
    ...refusals.flatMap(([names, severity, code, message]) =>
      found(severity, code, message, rest.filter(({ probe }) => names.includes(probe)))
    )
  ]
}

const acceptances: ReadonlyArray<readonly [ProbeName, FindingCode, string]> = [
  [
    "wrong_signature",
    "accepts_wrong_signature",
    "It takes a delivery whose signature is wrong: anybody could send it events"
  ],
  ["unsigned", "accepts_unsigned", "It takes a delivery without a signature: anybody could send it events"],
  ["other_body", "accepts_other_body", "It takes a body that is not the one that was signed"],
  [
    "old",
    "accepts_old",
    "It takes a delivery that was signed 10 minutes ago: one that was overheard could be repeated"
  ],
  ["future", "accepts_future", "It takes a delivery whose timestamp is 10 minutes ahead of the clock"]
]

const accepted = (bad: ReadonlyArray<Observation>): ReadonlyArray<Finding> => {
  const taken = bad.filter(isAccepted)
  if (taken.length === bad.length) {
    return found(
      "error",
      "verifies_nothing",
      "It answers 2xx to everything: it verifies no signature, or none before it answers",
      taken
    )
  }
  return acceptances.flatMap(([name, code, message]) =>
    found("error", code, message, taken.filter(({ probe }) => probe === name))
  )
}

const advised = (all: ReadonlyArray<Observation>, good: ReadonlyArray<Observation>): ReadonlyArray<Finding> => {
  const slow = all.filter((one) => hasAnswer(one) && one.duration_ms > slowAfter)
  const known = all.filter((one) => hasAnswer(one) && one.connection_reused !== null)
  // Where more of an answer comes than is kept, it is we who end the connection.
  const opensEach = known.length > 2 && known.every(({ connection_reused }) => connection_reused === false) &&
    !known.some(({ response_body }) => Buffer.byteLength(response_body ?? "") >= cutAt)
  const repeated = good.filter((one) => one.probe === "repeated" && isAccepted(one))
  return [
    ...found("warning", "slow", "It takes more than 5 seconds to answer: answer first, and work afterwards", slow),
    ...found(
      "warning",
      "calls_first_repeated",
      "It calls a delivery repeated that it has had once: events would be dropped",
      good.filter((one) => one.probe !== "repeated" && one.seen === true)
    ),
    ...found(
      "warning",
      "forgets_repeats",
      "It says of a repeat that it has not had it before: what comes twice would count twice",
      repeated.filter(({ seen }) => seen === false)
    ),
    ...found(
      "warning",
      "was_busy",
      "It answers 429 or 503 to some probes, so what else it makes of them is not known: limit how many it gets a second",
      all.filter(isBusy)
    ),
    ...found(
      "advice",
      "connections_not_reused",
      "It ends the connection after each answer: to keep it open saves a handshake for each event",
      opensEach ? known : []
    )
  ]
}

/** Whether an answer, or the end of a connection, shows that a delivery was refused. */
const isRefusal = (one: Observation) =>
  !isAccepted(one) && !isBusy(one) && (hasAnswer(one) || one.error === "connection")

/** Of one whose wrong deliveries were not answered nobody knows whether it takes them. */
const unverified = (all: ReadonlyArray<Observation>, bad: ReadonlyArray<Observation>): ReadonlyArray<Finding> => {
  const isKnown = bad.some((one) => isAccepted(one) || isRefusal(one))
  const message = "Whether it verifies signatures is not known: no delivery that it is to refuse has shown it"
  return isKnown ? [] : found("error", "signatures_unknown", message, bad.length > 0 ? bad : all)
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

/** What probes have shown, in sentences. A receiver is accused of nothing that was not seen. */
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
