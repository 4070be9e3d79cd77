import { Effect, Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { text } from "../../platform/http/Text.ts"
import { Timestamp } from "../../platform/http/Timestamp.ts"
import { CohortId, DeliveryId } from "./Delivery.ts"

const Instant = Schema.DateTimeUtcFromDate

/**
 * A group of a delivery's students. Access granted in it lasts from `starts_at` until `ends_at`, unless the grant or the
 * delivery says otherwise; null: from the grant on, without end. Changing these does not change existing accesses.
 */
export class Cohort extends Schema.Class<Cohort>("Cohort")({
  id: CohortId,
  delivery_id: DeliveryId,
  name: Schema.String,
  starts_at: Schema.NullOr(Instant),
  ends_at: Schema.NullOr(Instant),
  created_at: Instant
}) {}

const Name = text(1, 120)
const Moment = Schema.NullOr(Timestamp)

/** Without a start and an end unless said otherwise. */
export const CreateCohort = Schema.Struct({
  name: Name,
  starts_at: Moment.pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  ends_at: Moment.pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))
})

/** Absent is unchanged, null clears. */
export const CohortPatch = Schema.Struct({
  name: Schema.optionalKey(Name),
  starts_at: Schema.optionalKey(Moment),
  ends_at: Schema.optionalKey(Moment)
})

/** A cohort ends after it starts. */
export class EndsAtNotLater extends ApiError<EndsAtNotLater>()("EndsAtNotLater", {
  status: 422,
  code: "ends_at_not_later",
  message: "ends_at must be a time after starts_at"
}) {}

/** An enrollment, a product mapping or a registration link refers to it. */
export class CohortInUse extends ApiError<CohortInUse>()("CohortInUse", {
  status: 409,
  code: "cohort_in_use",
  message: "An enrollment, a product mapping or a registration link refers to the cohort: remove that first"
}) {}
