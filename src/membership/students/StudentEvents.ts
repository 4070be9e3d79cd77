import { Effect } from "effect"
import { makeDataWithStudent } from "../../events/DataWithStudent.ts"
import { eventSource } from "../../events/EventSources.ts"

/** The events about students themselves. */
export const studentEvents = Effect.gen(function*() {
  const withStudent = yield* makeDataWithStudent

  return [
    eventSource(
      "student.created",
      (events) => withStudent(events, (student, { fact: { origin } }) => ({ student, origin }))
    ),
    eventSource(
      "student.updated",
      (events) => withStudent(events, (student, { fact: { changed } }) => ({ student, changed }))
    ),
    eventSource(
      "student.removed",
      (events) =>
        Effect.succeed(new Map(events.map(({ fact: { student_id }, id }) => [id, { student: { id: student_id } }])))
    )
  ]
})
