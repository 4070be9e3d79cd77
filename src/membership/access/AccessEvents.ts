import { Effect } from "effect"
import { type EventStudent, makeDataWithStudent } from "../../events/DataWithStudent.ts"
import { eventSource, type RecordedFact } from "../../events/EventSources.ts"
import type { FactType } from "../../events/Fact.ts"
import { enrollmentsOfEvents, type EventEnrollment } from "./EventEnrollments.ts"

type AccessType = Extract<FactType, `access.${string}`>

/** The part that every event about access has. */
interface AccessBody {
  readonly student: EventStudent
  readonly enrollment: EventEnrollment
}

/**
 * The events about access (contract, Events): student and enrollment as they are now, with the previous values of the
 * fact.
 */
export const accessEvents = Effect.gen(function*() {
  const withStudent = yield* makeDataWithStudent
  const enrollmentsOf = yield* enrollmentsOfEvents

  /** A body for each event whose enrollment exists. */
  const withAccess = Effect.fnUntraced(function*<Type extends AccessType, Body>(
    events: ReadonlyArray<RecordedFact<Type>>,
    bodyOf: (access: AccessBody, event: RecordedFact<Type>) => Body
  ) {
    const enrollments = yield* enrollmentsOf(events)
    const found = events.flatMap((event) => {
      const enrollment = enrollments.get(event.id)
      return enrollment === undefined ? [] : [{ ...event, event, enrollment }]
    })
    return yield* withStudent(found, (student, { enrollment, event }) => bodyOf({ student, enrollment }, event))
  })

  const unchanged = (access: AccessBody) => access
  const withPeriod = (
    access: AccessBody,
    { fact: { previous_expires_at } }: RecordedFact<"access.extended" | "access.shortened">
  ) => ({ ...access, previous_expires_at })

  return [
    eventSource("access.granted", (events) => withAccess(events, unchanged)),
    eventSource("access.revoked", (events) => withAccess(events, unchanged)),
    eventSource("access.restored", (events) => withAccess(events, unchanged)),
    eventSource("access.extended", (events) => withAccess(events, withPeriod)),
    eventSource("access.shortened", (events) => withAccess(events, withPeriod)),
    eventSource(
      "access.moved",
      (events) => withAccess(events, (access, { fact: { previous_cohort } }) => ({ ...access, previous_cohort }))
    )
  ]
})
