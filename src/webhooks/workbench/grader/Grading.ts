import { Duration, Schema } from "effect"
import { ApiError } from "../../../platform/http/ApiError.ts"
import { field } from "../../../platform/http/Field.ts"
import { brandedId } from "../../../platform/schema/brandedId.ts"
import { Instant, InstantOrNull } from "../../../platform/schema/Instant.ts"
import { EndpointId } from "../../model/EndpointId.ts"
import { Grade, Report } from "./Report.ts"

/** UUIDv7. */
export const GradingId = brandedId("WebhookGradingId")
export type GradingId = typeof GradingId.Type

/** A sealed report opens only as that of this grading. */
export const bindingOfReport = (id: GradingId): string => `webhook_gradings:${id}:report`

/** The most gradings that a club may begin within an hour. */
export const gradingsPerHour = 6

/** How long a grading may be read. */
export const gradingsKept = Duration.days(30)

export const Grading = Schema.Struct({
  id: GradingId.pipe(field("Names the grading")),
  endpoint_id: EndpointId.pipe(field("The endpoint that is graded")),
  status: Schema.Literals(["running", "done", "failed"])
    .pipe(field("`running` until all probes are sent, minutes where answers are slow")),
  failure: Schema.NullOr(Schema.Literals(["endpoint_changed", "interrupted"])).pipe(field(
    "Why there is no grade: the endpoint was changed or is not enabled, or the service stopped thrice",
    null
  )),
  grade: Schema.NullOr(Grade).pipe(field("From `A`, nothing is wrong, to `F`; null before the grading has ended")),
  created_at: Instant.pipe(field("When it was asked for")),
  finished_at: InstantOrNull.pipe(field("When it ended"))
}).annotate({ identifier: "WebhookGrading", description: "A grading of a receiver" })
export type Grading = typeof Grading.Type

export const GradingDetail = Schema.Struct({
  ...Grading.fields,
  report: Schema.NullOr(Report).pipe(field("The report; null before the grading has ended"))
}).annotate({ identifier: "WebhookGradingDetail", description: "A grading with its report" })
export type GradingDetail = typeof GradingDetail.Type

/** One at a time. */
export class GradingUnderWay extends ApiError<GradingUnderWay>()("GradingUnderWay", {
  status: 409,
  code: "grading_under_way",
  message: {
    en: "A grading of this endpoint is under way: wait until it has ended",
    "pt-BR": "Uma avaliação deste endpoint está em andamento: espere terminar."
  }
}) {}
