import { Schema } from "effect"
import { Count } from "../../../platform/http/Count.ts"
import { field } from "../../../platform/http/Field.ts"
import { AttemptError } from "../../model/AttemptError.ts"
import { ProbeName } from "./ProbeName.ts"

/** The result of one probe. */
export const Observation = Schema.Struct({
  probe: ProbeName.pipe(field("Which one it was")),
  status_code: Schema.NullOr(Schema.Int).pipe(field("The status of the answer; null if no answer came", 200)),
  error: Schema.NullOr(AttemptError).pipe(field("Why it failed; null for a 2xx", null)),
  duration_ms: Count.pipe(field("Milliseconds", 12)),
  connection_reused: Schema.NullOr(Schema.Boolean)
    .pipe(field("True if its connection was open before; null if that is not known", true)),
  seen: Schema.NullOr(Schema.Boolean).pipe(field("The answer's `turma-seen`, `1` or `0`; null without it", null)),
  response_body: Schema.NullOr(Schema.String).pipe(field("The start of the answer; null without one", null))
}).annotate({ identifier: "WebhookGradingObservation", description: "The result of one probe" })
export type Observation = typeof Observation.Type

export const FindingCode = Schema.Literals([
  "not_reached",
  "refuses_right_deliveries",
  "redirects",
  "verifies_nothing",
  "accepts_wrong_signature",
  "accepts_unsigned",
  "accepts_other_body",
  "accepts_old",
  "accepts_future",
  "signatures_unknown",
  "refuses_repeated",
  "refuses_reordered",
  "breaks_on_unknown_fields",
  "verifies_rewritten_json",
  "refuses_large",
  "refuses_rotated",
  "lacks_newest_secret",
  "no_answer_in_time",
  "no_address",
  "private_address",
  "ends_connection",
  "breaks_tls",
  "breaks_http",
  "slow",
  "calls_first_repeated",
  "forgets_repeats",
  "was_busy",
  "connections_not_reused"
])
export type FindingCode = typeof FindingCode.Type

export const Finding = Schema.Struct({
  code: FindingCode.pipe(field("The mistake, in one word")),
  severity: Schema.Literals(["error", "warning", "advice"])
    .pipe(field("`error`: events are lost or forged. `warning`: they may be. `advice` lowers no grade")),
  message: Schema.String.pipe(field("The same in a sentence", "It refuses a body of 200 KB")),
  probes: Schema.Array(ProbeName).pipe(field("What shows it"))
}).annotate({ identifier: "WebhookGradingFinding", description: "A mistake of a receiver" })
export type Finding = typeof Finding.Type

export const Grade = Schema.Literals(["A", "B", "C", "D", "E", "F"])
export type Grade = typeof Grade.Type

/** The receiver's own word about repeats: it recognizes them, it does not, or it says nothing. */
const Dedupes = Schema.Literals(["told", "forgets", "unknown"])

export const Report = Schema.Struct({
  grade: Grade.pipe(field("`B`: warnings. `C`, `D`: errors. `E`: forged events are accepted. `F`: nothing works")),
  dedupes: Dedupes.pipe(field("`told` by `turma-seen: 1`, `forgets` by `0`: nothing else shows it")),
  newest_secret: Schema.Literals(["proved", "lacking", "unknown"])
    .pipe(field("During a rotation, whether it verifies what the newest secret alone signs", "unknown")),
  findings: Schema.Array(Finding).pipe(field("The mistakes, the worst first")),
  observations: Schema.Array(Observation).pipe(field("The result of each probe, in their order"))
}).annotate({ identifier: "WebhookGradingReport", description: "The results of a receiver's probes" })
export type Report = typeof Report.Type
