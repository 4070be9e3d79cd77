import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { Events } from "../../events/Events.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { Catalog, type Place, type Terms } from "../catalog/Catalog.ts"
import {
  AlreadyEnrolled,
  CohortOfOtherDelivery,
  DeliveryUnknown,
  endsInThePast,
  EnrollmentId,
  ExpiresAtNotLater
} from "./Enrollment.ts"
import type { Cause, Granted, NewGrant } from "./Grant.ts"
import { GrantsRepo, type NewEnrollment } from "./GrantsRepo.ts"
import { endingAfterStart, isLater, isPeriod, periodOf } from "./Period.ts"

const endsBeforeStart = "expires_at: Expected a time after the start of the access"

const nameOf = ({ cohort_id, delivery_id }: Place) => `${delivery_id} ${cohort_id ?? ""}`

/** Of what the database has one at most, where it is given now. */
const keyOf = ({ delivery_id, purchase_id, student_id, subscription_id }: NewEnrollment) =>
  `${purchase_id ?? subscription_id ?? student_id} ${delivery_id}`

/** Why a place cannot be granted. */
type Refusal = "delivery_unknown" | "cohort_of_other_delivery"

/** What a place is to be granted at. */
type Judged = Terms | Refusal

/** Gives access, in the caller's transaction, which has locked the students. */
export const makeGrants = Effect.gen(function*() {
  const catalog = yield* Catalog
  const events = yield* Events
  const random = yield* SecureRandom.SecureRandom
  const repo = yield* GrantsRepo

  /** The terms of all places in one question. A delivery is asked for without its cohort too: it may be there. */
  const judge = Effect.fnUntraced(function*(club_id: ClubId, places: ReadonlyArray<Place>) {
    const asked = [...new Map(
      places.flatMap(({ cohort_id, delivery_id }) => [{ cohort_id, delivery_id }, { cohort_id: null, delivery_id }])
        .map((place) => [nameOf(place), place])
    ).values()]
    const answered = yield* catalog.terms(club_id, asked)
    const terms = new Map(asked.map((place, n) => [nameOf(place), answered[n] ?? null]))
    return places.map((place): Judged => {
      const delivery = terms.get(nameOf({ ...place, cohort_id: null })) ?? null
      if (delivery === null || delivery.archived) return "delivery_unknown"
      return terms.get(nameOf(place)) ?? "cohort_of_other_delivery"
    })
  })

  const enrollmentOf = Effect.fnUntraced(function*(grant: NewGrant, terms: Terms, now: DateTime.Utc) {
    const { cohort_id, delivery_id, purchase_id = null, source, student_id, subscription_id = null } = grant
    const id = EnrollmentId.make(yield* random.uuidV7())
    const period = periodOf(grant, terms, now)
    return { ...period, id, student_id, delivery_id, cohort_id, source, purchase_id, subscription_id }
  })

  /** Whoever sold or imports an access that is over by now still gets it, with an end. */
  const prepare = (grant: NewGrant, terms: Judged, now: DateTime.Utc): Effect.Effect<NewEnrollment | Refusal> =>
    typeof terms === "string"
      ? Effect.succeed(terms)
      : Effect.map(enrollmentOf(grant, terms, now), (enrollment) => ({
        ...enrollment,
        expires_at: endingAfterStart(enrollment)
      }))

  /** One of each key, with its history and its event; the others of a key count as what the student has. */
  const give = Effect.fnUntraced(function*(
    club_id: ClubId,
    wanted: ReadonlyArray<NewEnrollment>,
    cause: Cause,
    now: DateTime.Utc
  ) {
    const first = new Map(wanted.toReversed().map((enrollment) => [keyOf(enrollment), enrollment]))
    const inserted = yield* repo.insert(club_id, [...first.values()], cause, now)
    const granted = wanted.filter(({ id }) => inserted.get(id) === "granted")
    yield* events.recordAll(
      club_id,
      granted.map(({ id, student_id }) => ({ type: "access.granted", student_id, enrollment_id: id }))
    )
    return (id: EnrollmentId) => inserted.get(id) ?? "already_enrolled"
  })

  const grantAll = Effect.fn("Enrollments.grantAll")(
    function*(club_id: ClubId, grants: ReadonlyArray<NewGrant>, cause: Cause) {
      if (grants.length === 0) return []
      const now = yield* DateTime.now
      const judged = yield* judge(club_id, grants)
      const prepared = yield* Effect.forEach(grants, (grant, n) => prepare(grant, judged[n] ?? "delivery_unknown", now))
      const wanted = prepared.filter((enrollment) => typeof enrollment !== "string")
      const outcomeOf = yield* give(club_id, wanted, cause, now)
      return prepared.map((enrollment): Granted => {
        if (typeof enrollment === "string") return { outcome: enrollment, enrollment_id: null }
        const outcome = outcomeOf(enrollment.id)
        return { outcome, enrollment_id: outcome === "granted" ? enrollment.id : null }
      })
    },
    Effect.orDie
  )

  const grantFree = Effect.fn("Enrollments.grantFree")(
    function*(club_id: ClubId, students: ReadonlyArray<StudentId>) {
      const free = students.length === 0 ? [] : yield* catalog.free(club_id)
      const grants = students.flatMap((student_id) =>
        free.map((delivery_id) => ({ student_id, delivery_id, cohort_id: null, source: "free" as const }))
      )
      yield* grantAll(club_id, grants, {})
    }
  )

  /** As a member gives it: what cannot be given says why. Fails as `GrantsRepo.insert` does. */
  const grantOne = Effect.fnUntraced(function*(club_id: ClubId, grant: NewGrant, cause: Cause) {
    const now = yield* DateTime.now
    const [terms = "delivery_unknown"] = yield* judge(club_id, [grant])
    if (terms === "delivery_unknown") return yield* new DeliveryUnknown()
    if (terms === "cohort_of_other_delivery") return yield* new CohortOfOtherDelivery()
    const enrollment = yield* enrollmentOf(grant, terms, now)
    if (!isLater(enrollment.expires_at, now)) {
      return yield* new ExpiresAtNotLater({ error: { message: endsInThePast } })
    }
    if (!isPeriod(enrollment)) return yield* new ExpiresAtNotLater({ error: { message: endsBeforeStart } })
    const outcomeOf = yield* give(club_id, [enrollment], cause, now)
    return outcomeOf(enrollment.id) === "granted" ? enrollment.id : yield* new AlreadyEnrolled()
  })

  return { grantAll, grantFree, grantOne }
})
