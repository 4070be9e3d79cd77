import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { Events } from "../../events/Events.ts"
import { creates } from "../../identity/audit/NewAuditEntry.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { saying } from "../../platform/http/ApiError.ts"
import { newIdOf, type QueuedWork } from "../../platform/jobs/QueuedWork.ts"
import { GrantableDeliveries, type GrantTarget, type GrantTerms } from "../catalog/GrantableDeliveries.ts"
import {
  AlreadyEnrolled,
  CohortOfOtherDelivery,
  DeliveryUnknown,
  endsInThePast,
  EnrollmentId,
  ExpiresAtNotLater
} from "./Enrollment.ts"
import { GrantsRepo, type NewEnrollment } from "./GrantsRepo.ts"
import type { AccessCause, GrantResult, NewGrant } from "./NewGrant.ts"
import { endingAfterStart, isLater, isPeriod, periodOf } from "./Period.ts"

const endsBeforeStart = {
  en: "expires_at must be a time after the start of the access",
  "pt-BR": "O fim precisa vir depois do começo do acesso."
}

const targetKey = ({ cohort_id, delivery_id }: GrantTarget) => `${delivery_id} ${cohort_id ?? ""}`

/** At most one of the enrollments with the same key can be inserted. */
const keyOf = (
  { delivery_id, purchase_id, student_id, subscription_id }: Pick<
    NewEnrollment,
    "delivery_id" | "purchase_id" | "student_id" | "subscription_id"
  >
) => `${purchase_id ?? subscription_id ?? student_id} ${delivery_id}`

/** Why a target cannot be granted. */
type Refusal = "delivery_unknown" | "cohort_of_other_delivery"

/** The terms of a grant, or why it is refused. */
type TermsOrRefusal = GrantTerms | Refusal

/**
 * The terms of all grants in one statement. Each delivery is also read without its cohort, to tell which of them is
 * unknown.
 */
const termsOf = Effect.fnUntraced(function*(
  catalog: GrantableDeliveries["Service"],
  club_id: ClubId,
  grants: ReadonlyArray<GrantTarget>
) {
  const targets = [
    ...new Map(grants.flatMap((
      { cohort_id, delivery_id }
    ) => [{ cohort_id, delivery_id }, { cohort_id: null, delivery_id }])
      .map((target) => [targetKey(target), target])).values()
  ]
  const found = yield* catalog.terms(club_id, targets)
  const terms = new Map(targets.map((target, n) => [targetKey(target), found[n] ?? null]))
  return grants.map(({ cohort_id, delivery_id }): TermsOrRefusal => {
    const delivery = terms.get(targetKey({ cohort_id: null, delivery_id })) ?? null
    if (delivery === null || delivery.archived) return "delivery_unknown"
    return terms.get(targetKey({ cohort_id, delivery_id })) ?? "cohort_of_other_delivery"
  })
})

/** A student who gets the free deliveries, and the queued work that made them a student, if any. */
export interface FreeReceiver {
  readonly student_id: StudentId
  readonly work?: QueuedWork | undefined
}

/** Grants access in the caller's transaction, which has locked the students. */
export const makeGrants = Effect.gen(function*() {
  const catalog = yield* GrantableDeliveries
  const events = yield* Events
  const random = yield* SecureRandom.SecureRandom
  const repo = yield* GrantsRepo

  const enrollmentOf = Effect.fnUntraced(function*(grant: NewGrant, terms: GrantTerms, now: DateTime.Utc) {
    const { cohort_id, delivery_id, purchase_id = null, source, student_id, subscription_id = null } = grant
    const { platform_event_id, work } = grant
    const granted = { student_id, delivery_id, purchase_id, subscription_id }
    const id = EnrollmentId.make(yield* newIdOf(random, { kind: "enrollment", name: keyOf(granted), work }))
    return { ...periodOf(grant, terms, now), ...granted, platform_event_id, work, id, cohort_id, source }
  })

  /** A sale or an import may grant an access that has expired by now. It then ends right after its start. */
  const toEnrollment = (
    grant: NewGrant,
    terms: TermsOrRefusal,
    now: DateTime.Utc
  ): Effect.Effect<NewEnrollment | Refusal> =>
    typeof terms === "string"
      ? Effect.succeed(terms)
      : Effect.map(enrollmentOf(grant, terms, now), (enrollment) => ({
        ...enrollment,
        expires_at: endingAfterStart(enrollment)
      }))

  /** Inserts the first of each key, with its history and its event. The others of a key count as `already_enrolled`. */
  const insert = Effect.fnUntraced(function*(
    club_id: ClubId,
    enrollments: ReadonlyArray<NewEnrollment>,
    cause: AccessCause,
    now: DateTime.Utc
  ) {
    const first = new Map(enrollments.toReversed().map((enrollment) => [keyOf(enrollment), enrollment]))
    const inserted = yield* repo.insert(club_id, [...first.values()], cause, now)
    const granted = enrollments.filter(({ id }) => inserted.get(id) === "granted")
    yield* events.recordAll(
      club_id,
      granted.map(({ id, student_id }) => ({ type: "access.granted", student_id, enrollment_id: id })),
      granted.map(({ work }) => ({ work }))
    )
    return (id: EnrollmentId) => inserted.get(id) ?? "already_enrolled"
  })

  const grantAll = Effect.fn("Enrollments.grantAll")(
    function*(club_id: ClubId, grants: ReadonlyArray<NewGrant>, cause: AccessCause) {
      if (grants.length === 0) return []
      const now = yield* DateTime.now
      const terms = yield* termsOf(catalog, club_id, grants)
      const prepared = yield* Effect.forEach(
        grants,
        (grant, n) => toEnrollment(grant, terms[n] ?? "delivery_unknown", now)
      )
      const enrollments = prepared.filter((enrollment) => typeof enrollment !== "string")
      const outcomeOf = yield* insert(club_id, enrollments, cause, now)
      return prepared.map((enrollment): GrantResult => {
        if (typeof enrollment === "string") return { outcome: enrollment, enrollment_id: null }
        const outcome = outcomeOf(enrollment.id)
        return { outcome, enrollment_id: outcome === "granted" ? enrollment.id : null }
      })
    },
    Effect.orDie
  )

  const grantFree = Effect.fn("Enrollments.grantFree")(function*(
    club_id: ClubId,
    students: ReadonlyArray<FreeReceiver>
  ) {
    const free = students.length === 0 ? [] : yield* catalog.free(club_id)
    const grants = students.flatMap(({ student_id, work }) =>
      free.map((delivery_id) => ({ student_id, delivery_id, cohort_id: null, source: "free" as const, work }))
    )
    yield* grantAll(club_id, grants, {})
  })

  /** A grant by a member: fails with the reason if it is refused, and otherwise as `GrantsRepo.insert` does. */
  const grantOne = Effect.fnUntraced(function*(club_id: ClubId, grant: NewGrant, cause: AccessCause) {
    const now = yield* DateTime.now
    const [terms = "delivery_unknown"] = yield* termsOf(catalog, club_id, [grant])
    if (terms === "delivery_unknown") return yield* new DeliveryUnknown()
    if (terms === "cohort_of_other_delivery") return yield* new CohortOfOtherDelivery()
    const enrollment = yield* enrollmentOf(grant, terms, now)
    if (!isLater(enrollment.expires_at, now)) {
      return yield* new ExpiresAtNotLater(saying(endsInThePast))
    }
    if (!isPeriod(enrollment)) return yield* new ExpiresAtNotLater(saying(endsBeforeStart))
    yield* creates(enrollment.id)
    const outcomeOf = yield* insert(club_id, [enrollment], cause, now)
    return outcomeOf(enrollment.id) === "granted" ? enrollment.id : yield* new AlreadyEnrolled()
  })

  return { grantAll, grantFree, grantOne }
})
