import { Effect } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { asMember } from "../../identity/people/asMember.ts"
import { CurrentMember } from "../../identity/people/Identity.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { data } from "../../platform/http/Page.ts"
import { group } from "../../platform/http/server/group.ts"
import { EnrollmentsApi } from "./Api.ts"
import { Enrollments } from "./Enrollments.ts"
import type { AccessCause } from "./NewGrant.ts"

/** Runs a change in the member's club, with the member and the given reason as its cause. */
const byActor = <A, E>(
  reason: string | undefined,
  change: (club_id: ClubId, cause: AccessCause) => Effect.Effect<A, E>
) => CurrentMember.use(({ club, user }) => Effect.map(change(club.id, { actor_user_id: user.id, reason }), data))

/** Answers the routes of `EnrollmentsApi`. */
export const EnrollmentsHttp = group(
  versioned(EnrollmentsApi),
  "enrollments",
  Effect.fn(function*(handlers) {
    const enrollments = yield* Enrollments
    return handlers.handleAll({
      get: asMember(({ params }, { club }) => Effect.map(enrollments.get(club.id, params.enrollmentId), data)),
      grant: ({ params, payload: { cohort_id = null, reason, ...asked } }) =>
        byActor(reason, (club_id, cause) => {
          const grant = { ...asked, cohort_id, student_id: params.studentId, source: "grant" as const }
          return enrollments.grant(club_id, grant, cause)
        }),
      revoke: ({ params, payload }) =>
        byActor(payload?.reason, (club_id, cause) => enrollments.revoke(club_id, params.enrollmentId, cause)),
      restore: ({ params, payload }) =>
        byActor(payload?.reason, (club_id, cause) => enrollments.restore(club_id, params.enrollmentId, cause)),
      extend: ({ params, payload: { expires_at, reason } }) =>
        byActor(reason, (club_id, cause) => enrollments.extend(club_id, params.enrollmentId, expires_at, cause)),
      shorten: ({ params, payload: { expires_at, reason } }) =>
        byActor(reason, (club_id, cause) => enrollments.shorten(club_id, params.enrollmentId, expires_at, cause)),
      move: ({ params, payload: { cohort_id, reason } }) =>
        byActor(reason, (club_id, cause) => enrollments.move(club_id, params.enrollmentId, cohort_id, cause))
    })
  })
)
