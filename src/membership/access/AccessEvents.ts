import { Effect } from "effect"
import { type EventStudent, makeDataWithStudent } from "../../events/DataWithStudent.ts"
import { eventSource, type RecordedFact } from "../../events/EventSources.ts"
import type { FactType } from "../../events/Fact.ts"
import { enrollmentsOfEvents, type EventEnrollment } from "./EventEnrollments.ts"

type AccessType = Extract<FactType, `access.${string}`>

/** What every event about an access shows. */
interface Access {
  readonly student: EventStudent
  readonly enrollment: EventEnrollment
}

/** The events about access (contract, Events): student and enrollment as they are now, and what only the fact knew. */
export const accessEvents = Effect.gen(function*() {
  const withStudent = yield* makeDataWithStudent
  const enrollmentsOf = yield* enrollmentsOfEvents

  /** A body for each event whose enrollment there is. */
  const withAccess = Effect.fnUntraced(function*<Type extends AccessType, Body>(
    events: ReadonlyArray<RecordedFact<Type>>,
    bodyOf: (access: Access, event: RecordedFact<Type>) => Body
  ) {
    const enrollments = yield* enrollmentsOf(events)
    const found = events.flatMap((event) => {
      const enrollment = enrollments.get(event.id)
      return enrollment === undefined ? [] : [{ ...event, event, enrollment }]
    })
    return yield* withStudent(found, (student, { enrollment, event }) => bodyOf({ student, enrollment }, event))
  })

  const asIs = (access: Access) => access
  const withPeriod = (
    access: Access,
    { fact: { previous_expires_at } }: RecordedFact<"access.extended" | "access.shortened">
  ) => ({ ...access, previous_expires_at })

  return [
    eventSource("access.granted", (events) => withAccess(events, asIs)),
    eventSource("access.revoked", (events) => withAccess(events, asIs)),
    eventSource("access.restored", (events) => withAccess(events, asIs)),
    eventSource("access.extended", (events) => withAccess(events, withPeriod)),
    eventSource("access.shortened", (events) => withAccess(events, withPeriod)),
    eventSource(
      "access.moved",
      (events) => withAccess(events, (access, { fact: { previous_cohort } }) => ({ ...access, previous_cohort }))
    )
  ]
})
