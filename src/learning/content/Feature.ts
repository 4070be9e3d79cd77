import { Layer } from "effect"
import { Blocks } from "./Blocks.ts"
import { courseItems } from "./CourseItems.ts"
import { Courses } from "./Courses.ts"
import { CoursesHttp, LessonsHttp } from "./Http.ts"
import { LessonPlaces } from "./LessonPlaces.ts"
import { Lessons } from "./Lessons.ts"
import { Modules } from "./Modules.ts"

/** Courses, modules, lessons and what lessons are made of. */
export const content = {
  services: Layer.mergeAll(Blocks.layer, Courses.layer, Lessons.layer, Modules.layer).pipe(
    Layer.provideMerge(LessonPlaces.layer)
  ),
  routes: Layer.merge(CoursesHttp, LessonsHttp),
  workers: Layer.empty,
  deliveryItem: courseItems
}
