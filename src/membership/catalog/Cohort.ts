import { Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { text } from "../../platform/http/Text.ts"
import { Timestamp } from "../../platform/http/Timestamp.ts"
import { Instant, InstantOrNull } from "../../platform/schema/Instant.ts"
import { CohortId, DeliveryId } from "./Delivery.ts"

const startIs = "When access in it begins at the earliest; null: with the grant"
const endIs =
  "When access in it ends, unless the grant or the delivery says otherwise; later than `starts_at`; null: it does not"

/**
 * A group of a delivery's students. Access granted in it lasts from `starts_at` until `ends_at`, unless the grant or the
 * delivery says otherwise; null: from the grant on, without end. Changing these does not change existing accesses.
 */
export class Cohort extends Schema.Class<Cohort>("Cohort")(Schema.Struct({
  id: CohortId.pipe(field("Names the cohort")),
  delivery_id: DeliveryId.pipe(field("The delivery whose students it groups")),
  name: Schema.String.pipe(field("What members call it", "Turma de março")),
  starts_at: InstantOrNull.pipe(field(startIs)),
  ends_at: InstantOrNull.pipe(field(endIs)),
  created_at: Instant.pipe(field("When it was created"))
}).annotate({ description: "Students of a delivery who begin and end together" })) {}

const Name = text(1, 120)
const Moment = Schema.NullOr(Timestamp)

/** Without a start and an end unless said otherwise. */
export const CreateCohort = Schema.Struct({
  name: Name.pipe(field("Its name for members, in 1 to 120 characters", "Turma de março")),
  starts_at: Schema.optionalKey(Moment).pipe(field(startIs)),
  ends_at: Schema.optionalKey(Moment).pipe(field(endIs, "2027-04-01T09:30:00.000Z"))
})

/** Absent is unchanged, null clears. */
export const CohortPatch = Schema.Struct({
  name: Schema.optionalKey(Name)
    .pipe(field("Its name for members, in 1 to 120 characters; unchanged without it", "Turma de março")),
  starts_at: Schema.optionalKey(Moment).pipe(field(`${startIs}. Unchanged without it`)),
  ends_at: Schema.optionalKey(Moment).pipe(field(`${endIs}. Unchanged without it`, "2027-04-01T09:30:00.000Z"))
})

/** A cohort ends after it starts. */
export class EndsAtNotLater extends ApiError<EndsAtNotLater>()("EndsAtNotLater", {
  status: 422,
  code: "ends_at_not_later",
  message: {
    en: "ends_at must be a time after starts_at",
    "pt-BR": "O fim precisa vir depois do começo."
  }
}) {}

/** An enrollment, a product mapping or a registration link refers to it. */
export class CohortInUse extends ApiError<CohortInUse>()("CohortInUse", {
  status: 409,
  code: "cohort_in_use",
  message: {
    en: "An enrollment, a product mapping or a registration link refers to the cohort: remove that first",
    "pt-BR": "Um acesso, um produto mapeado ou um link de inscrição usa esta turma: remova-o antes."
  }
}) {}
