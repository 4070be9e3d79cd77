import { Effect } from "effect"
import { CurrentMember } from "../../identity/people/Identity.ts"
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
      list: ({ query }) => CurrentMember.use(({ club }) => courses.list(club.id, query)),
      create: ({ payload }) => CurrentMember.use(({ club }) => Effect.map(courses.create(club.id, payload), data)),
      order: ({ payload }) => CurrentMember.use(({ club }) => Effect.map(courses.order(club.id, payload.ids), whole)),
      get: ({ params }) => CurrentMember.use(({ club }) => Effect.map(courses.get(club.id, params.courseId), data)),
      update: ({ params, payload }) =>
        CurrentMember.use(({ club }) => Effect.map(courses.patch(club.id, params.courseId, payload), data)),
      remove: ({ params }) => CurrentMember.use(({ club }) => courses.remove(club.id, params.courseId)),
      outline: ({ params }) =>
        CurrentMember.use(({ club }) => Effect.map(outlines.read(club.id, params.courseId), data)),
      listModules: ({ params }) =>
        CurrentMember.use(({ club }) => Effect.map(modules.list(club.id, params.courseId), whole)),
      createModule: ({ params, payload }) =>
        CurrentMember.use(({ club }) => Effect.map(modules.create(club.id, params.courseId, payload), data)),
      orderModules: ({ params, payload }) =>
        CurrentMember.use(({ club }) => Effect.map(modules.order(club.id, params.courseId, payload.ids), whole)),
      getModule: ({ params }) =>
        CurrentMember.use(({ club }) => Effect.map(modules.get(club.id, params.moduleId), data)),
      updateModule: ({ params, payload }) =>
        CurrentMember.use(({ club }) => Effect.map(modules.patch(club.id, params.moduleId, payload), data)),
      removeModule: ({ params }) => CurrentMember.use(({ club }) => modules.remove(club.id, params.moduleId))
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
      list: ({ params }) => CurrentMember.use(({ club }) => Effect.map(lessons.list(club.id, params.moduleId), whole)),
      create: ({ params, payload }) =>
        CurrentMember.use(({ club }) => Effect.map(lessons.create(club.id, params.moduleId, payload), data)),
      order: ({ params, payload }) =>
        CurrentMember.use(({ club }) => Effect.map(lessons.order(club.id, params.moduleId, payload.ids), whole)),
      get: ({ params }) => CurrentMember.use(({ club }) => Effect.map(lessons.get(club.id, params.lessonId), data)),
      update: ({ params, payload }) =>
        CurrentMember.use(({ club }) => Effect.map(lessons.patch(club.id, params.lessonId, payload), data)),
      publish: ({ params, payload }) =>
        CurrentMember.use(({ club }) =>
          Effect.map(lessons.publish(club.id, params.lessonId, payload.published_at), data)
        ),
      remove: ({ params }) => CurrentMember.use(({ club }) => lessons.remove(club.id, params.lessonId)),
      listBlocks: ({ params }) =>
        CurrentMember.use(({ club }) => Effect.map(blocks.list(club.id, params.lessonId), whole)),
      createBlock: ({ params, payload }) =>
        CurrentMember.use(({ club }) => Effect.map(blocks.create(club.id, params.lessonId, payload), data)),
      orderBlocks: ({ params, payload }) =>
        CurrentMember.use(({ club }) => Effect.map(blocks.order(club.id, params.lessonId, payload.ids), whole)),
      getBlock: ({ params }) => CurrentMember.use(({ club }) => Effect.map(blocks.get(club.id, params.blockId), data)),
      updateBlock: ({ params, payload }) =>
        CurrentMember.use(({ club }) => Effect.map(blocks.patch(club.id, params.blockId, payload), data)),
      removeBlock: ({ params }) => CurrentMember.use(({ club }) => blocks.remove(club.id, params.blockId))
    })
  })
)
