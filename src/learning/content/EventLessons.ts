import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { EventId } from "../../events/EventType.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { CourseId } from "./Course.ts"
import { LessonId } from "./Lesson.ts"
import { ModuleId } from "./Module.ts"

/** `course` of an event. */
const EventCourse = Schema.Struct({ id: CourseId, title: Schema.String })

/** `lesson`, `module` and `course` of an event. */
const EventLesson = Schema.Struct({
  lesson: Schema.Struct({ id: LessonId, public_id: Schema.String, title: Schema.String }),
  module: Schema.Struct({ id: ModuleId, title: Schema.String }),
  course: EventCourse
})

/** An event about a lesson. */
interface LessonEvent {
  readonly club_id: ClubId
  readonly id: EventId
  readonly fact: { readonly lesson_id: string }
}

/** An event about a course. */
interface CourseEvent {
  readonly club_id: ClubId
  readonly id: EventId
  readonly fact: { readonly course_id: string }
}

const decodeLessons = rows(Schema.Struct({ ...EventLesson.fields, event_id: EventId }))
const decodeCourses = rows(Schema.Struct({ ...EventCourse.fields, event_id: EventId }))

/**
 * The lesson of each event, with its module and course, as they are called now, deleted or not. One statement for all.
 */
export const lessonsOfEvents = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return Effect.fnUntraced(function*(events: ReadonlyArray<LessonEvent>) {
    const rows = yield* sql`
      select about.event_id,
        jsonb_build_object('id', l.id, 'public_id', l.public_id, 'title', l.title) as lesson,
        jsonb_build_object('id', m.id, 'title', m.title) as module,
        jsonb_build_object('id', c.id, 'title', c.title) as course
      from unnest(
        ${uuids(events.map(({ id }) => id))}, ${uuids(events.map(({ club_id }) => club_id))},
        ${uuids(events.map(({ fact }) => fact.lesson_id))}
      ) as about (event_id, club_id, lesson_id)
      join lessons l on l.club_id = about.club_id and l.id = about.lesson_id
      join modules m on m.club_id = l.club_id and m.id = l.module_id
      join courses c on c.club_id = l.club_id and c.id = l.course_id`.pipe(decodeLessons)
    return new Map(rows.map(({ event_id, ...places }) => [event_id, places]))
  })
})

/** The course of each event, with its current title, deleted or not. One statement for all. */
export const coursesOfEvents = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return Effect.fnUntraced(function*(events: ReadonlyArray<CourseEvent>) {
    const rows = yield* sql`
      select about.event_id, c.id, c.title
      from unnest(
        ${uuids(events.map(({ id }) => id))}, ${uuids(events.map(({ club_id }) => club_id))},
        ${uuids(events.map(({ fact }) => fact.course_id))}
      ) as about (event_id, club_id, course_id)
      join courses c on c.club_id = about.club_id and c.id = about.course_id`.pipe(decodeCourses)
    return new Map(rows.map(({ event_id, ...course }) => [event_id, course]))
  })
})
