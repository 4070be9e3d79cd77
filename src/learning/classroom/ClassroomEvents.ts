import { Effect } from "effect"
import { makeDataWithStudent } from "../../events/DataWithStudent.ts"
import { eventSource, type RecordedFact } from "../../events/EventSources.ts"
import { coursesOfEvents, lessonsOfEvents } from "../content/EventLessons.ts"

/** The events about completions (contract, Events): lesson and course as they are called now, deleted or not. */
export const classroomEvents = Effect.gen(function*() {
  const withStudent = yield* makeDataWithStudent
  const lessonsOf = yield* lessonsOfEvents
  const coursesOf = yield* coursesOfEvents

  const ofLesson = Effect.fnUntraced(function*(events: ReadonlyArray<RecordedFact<"lesson.completed">>) {
    const lessons = yield* lessonsOf(events)
    const found = events.flatMap((event) => {
      const about = lessons.get(event.id)
      return about === undefined ? [] : [{ ...event, about }]
    })
    return yield* withStudent(
      found,
      (student, { about, fact: { completed_at } }) => ({ student, ...about, completed_at })
    )
  })

  const ofCourse = Effect.fnUntraced(function*(events: ReadonlyArray<RecordedFact<"course.completed">>) {
    const courses = yield* coursesOf(events)
    const found = events.flatMap((event) => {
      const course = courses.get(event.id)
      return course === undefined ? [] : [{ ...event, course }]
    })
    return yield* withStudent(
      found,
      (student, { course, fact: { completed_at } }) => ({ student, course, completed_at })
    )
  })

  return [eventSource("lesson.completed", ofLesson), eventSource("course.completed", ofCourse)]
})
