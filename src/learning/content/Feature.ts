import { Layer } from "effect"
import { AccessibleLessons } from "./AccessibleLessons.ts"
import { Blocks } from "./Blocks.ts"
import { courseItems } from "./CourseItems.ts"
import { waitingLosses } from "./CourseLosses.ts"
import { Courses } from "./Courses.ts"
import { CoursesHttp, LessonsHttp } from "./Http.ts"
import { Lessons } from "./Lessons.ts"
import { Modules } from "./Modules.ts"
import { Outlines } from "./Outlines.ts"

/** Courses, modules, lessons and blocks. */
export const content = {
  services: Layer.mergeAll(Blocks.layer, Courses.layer, Lessons.layer, Modules.layer, Outlines.layer)
    .pipe(Layer.provideMerge(AccessibleLessons.layer)),
  routes: Layer.merge(CoursesHttp, LessonsHttp),
  workers: Layer.empty,
  deliveryItem: courseItems,
  queues: [waitingLosses]
}
