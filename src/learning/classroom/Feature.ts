import { Duration, Layer } from "effect"
import { classroomEraser } from "./ClassroomEraser.ts"
import { classroomEvents } from "./ClassroomEvents.ts"
import { ClassroomLessons } from "./ClassroomLessons.ts"
import { Completions } from "./Completions.ts"
import { courseFinishesLayer } from "./CourseFinishes.ts"
import { Homes } from "./Homes.ts"
import { ClassroomHttp, LessonPreviewsHttp, StudentProgressHttp, SubmissionsHttp } from "./Http.ts"
import { LessonPreviews } from "./LessonPreviews.ts"
import { Positions } from "./Positions.ts"
import { QuizAttempts } from "./QuizAttempts.ts"
import { Reviews } from "./Reviews.ts"
import { StudentProgress } from "./StudentProgress.ts"
import { Submissions } from "./Submissions.ts"

/** The classroom: content for students, their actions, and their progress. */
export const classroom = {
  services: Layer.mergeAll(
    ClassroomLessons.layer,
    Completions.layer,
    Homes.layer,
    LessonPreviews.layer,
    Positions.layer,
    QuizAttempts.layer,
    Reviews.layer,
    StudentProgress.layer,
    Submissions.layer
  ),
  routes: Layer.mergeAll(ClassroomHttp, LessonPreviewsHttp, StudentProgressHttp, SubmissionsHttp),
  workers: courseFinishesLayer({ every: Duration.seconds(1) }),
  erasers: [classroomEraser],
  eventSources: classroomEvents
}
