import { Effect } from "effect"
import { asMember } from "../../identity/people/asMember.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { data, whole } from "../../platform/http/Page.ts"
import { group } from "../../platform/http/server/group.ts"
import { CoursesApi, LessonsApi } from "./Api.ts"
import { Blocks } from "./Blocks.ts"
import { Courses } from "./Courses.ts"
import { Lessons } from "./Lessons.ts"
import { Modules } from "./Modules.ts"
import { Outlines } from "./Outlines.ts"

/** Answers the routes of `CoursesApi`. */
export const CoursesHttp = group(
  versioned(CoursesApi),
  "courses",
  Effect.fn(function*(handlers) {
    const courses = yield* Courses
    const modules = yield* Modules
    const outlines = yield* Outlines
    return handlers.handleAll({
      list: asMember(({ query }, { club }) => courses.list(club.id, query)),
      create: asMember(({ payload }, { club }) => Effect.map(courses.create(club.id, payload), data)),
      order: asMember(({ payload }, { club }) => Effect.map(courses.order(club.id, payload.ids), whole)),
      get: asMember(({ params }, { club }) => Effect.map(courses.get(club.id, params.courseId), data)),
      update: asMember(({ params, payload }, { club }) =>
        Effect.map(courses.patch(club.id, params.courseId, payload), data)
      ),
      remove: asMember(({ params }, { club }) => courses.remove(club.id, params.courseId)),
      outline: asMember(({ params }, { club }) => Effect.map(outlines.read(club.id, params.courseId), data)),
      listModules: asMember(({ params }, { club }) => Effect.map(modules.list(club.id, params.courseId), whole)),
      createModule: asMember(({ params, payload }, { club }) =>
        Effect.map(modules.create(club.id, params.courseId, payload), data)
      ),
      orderModules: asMember(({ params, payload }, { club }) =>
        Effect.map(modules.order(club.id, params.courseId, payload.ids), whole)
      ),
      getModule: asMember(({ params }, { club }) => Effect.map(modules.get(club.id, params.moduleId), data)),
      updateModule: asMember(({ params, payload }, { club }) =>
        Effect.map(modules.patch(club.id, params.moduleId, payload), data)
      ),
      removeModule: asMember(({ params }, { club }) => modules.remove(club.id, params.moduleId))
    })
  })
)

/** Answers the routes of `LessonsApi`. */
export const LessonsHttp = group(
  versioned(LessonsApi),
  "lessons",
  Effect.fn(function*(handlers) {
    const lessons = yield* Lessons
    const blocks = yield* Blocks
    return handlers.handleAll({
      list: asMember(({ params }, { club }) => Effect.map(lessons.list(club.id, params.moduleId), whole)),
      create: asMember(({ params, payload }, { club }) =>
        Effect.map(lessons.create(club.id, params.moduleId, payload), data)
      ),
      order: asMember(({ params, payload }, { club }) =>
        Effect.map(lessons.order(club.id, params.moduleId, payload.ids), whole)
      ),
      get: asMember(({ params }, { club }) => Effect.map(lessons.get(club.id, params.lessonId), data)),
      update: asMember(({ params, payload }, { club }) =>
        Effect.map(lessons.patch(club.id, params.lessonId, payload), data)
      ),
      publish: asMember(({ params, payload }, { club }) =>
        Effect.map(lessons.publish(club.id, params.lessonId, payload.published_at), data)
      ),
      remove: asMember(({ params }, { club }) => lessons.remove(club.id, params.lessonId)),
      listBlocks: asMember(({ params }, { club }) => Effect.map(blocks.list(club.id, params.lessonId), whole)),
      createBlock: asMember(({ params, payload }, { club }) =>
        Effect.map(blocks.create(club.id, params.lessonId, payload), data)
      ),
      orderBlocks: asMember(({ params, payload }, { club }) =>
        Effect.map(blocks.order(club.id, params.lessonId, payload.ids), whole)
      ),
      getBlock: asMember(({ params }, { club }) => Effect.map(blocks.get(club.id, params.blockId), data)),
      updateBlock: asMember(({ params, payload }, { club }) =>
        Effect.map(blocks.patch(club.id, params.blockId, payload), data)
      ),
      removeBlock: asMember(({ params }, { club }) => blocks.remove(club.id, params.blockId))
    })
  })
)
