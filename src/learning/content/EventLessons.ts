import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { EventId } from "../../events/EventType.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { CourseId, LessonId, ModuleId } from "./Lesson.ts"

const EventCourse = Schema.Struct({ id: CourseId, title: Schema.String })
/** `course` of an event. */
export type EventCourse = typeof EventCourse.Type

const EventLesson = Schema.Struct({
  lesson: Schema.Struct({ id: LessonId, public_id: Schema.String, title: Schema.String }),
  module: Schema.Struct({ id: ModuleId, title: Schema.String }),
  course: EventCourse
})
/** `lesson`, `module` and `course` of an event. */
export type EventLesson = typeof EventLesson.Type

/** An event about a lesson. */
interface AboutLesson {
  readonly club_id: ClubId
  readonly id: EventId
  readonly fact: { readonly lesson_id: string }
}

/** An event about a course. */
interface AboutCourse {
  readonly club_id: ClubId
  readonly id: EventId
  readonly fact: { readonly course_id: string }
}

const decodeLessons = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ ...EventLesson.fields, event_id: EventId }))
)
const decodeCourses = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ ...EventCourse.fields, event_id: EventId }))
)

/** Each event's lesson and where it is, as they are called now, deleted or not; one statement for all of them. */
export const lessonsOfEvents = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return Effect.fnUntraced(function*(events: ReadonlyArray<AboutLesson>) {
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
      join courses c on c.club_id = l.club_id and c.id = l.course_id`
    return new Map((yield* decodeLessons(rows)).map(({ event_id, ...places }) => [event_id, places]))
  }, Effect.orDie)
})

/** Each event's course, as it is called now, deleted or not; one statement for all of them. */
export const coursesOfEvents = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return Effect.fnUntraced(function*(events: ReadonlyArray<AboutCourse>) {
    const rows = yield* sql`
      select about.event_id, c.id, c.title
      from unnest(
        ${uuids(events.map(({ id }) => id))}, ${uuids(events.map(({ club_id }) => club_id))},
        ${uuids(events.map(({ fact }) => fact.course_id))}
      ) as about (event_id, club_id, course_id)
      join courses c on c.club_id = about.club_id and c.id = about.course_id`
    return new Map((yield* decodeCourses(rows)).map(({ event_id, ...course }) => [event_id, course]))
  }, Effect.orDie)
})
