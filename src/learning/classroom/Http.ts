import { Effect } from "effect"
import { asMember, asStudent } from "../../identity/people/asMember.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { data, whole } from "../../platform/http/Page.ts"
import { group } from "../../platform/http/server/group.ts"
import { ClassroomApi, LessonPreviewsApi, StudentProgressApi, SubmissionsApi } from "./Api.ts"
import { ClassroomLessons } from "./ClassroomLessons.ts"
import { Completions } from "./Completions.ts"
import { Homes } from "./Homes.ts"
import { LessonPreviews } from "./LessonPreviews.ts"
import { Positions } from "./Positions.ts"
import { QuizAttempts } from "./QuizAttempts.ts"
import { Reviews } from "./Reviews.ts"
import { StudentProgress } from "./StudentProgress.ts"
import { Submissions } from "./Submissions.ts"

/** Answers the routes of `ClassroomApi`. */
export const ClassroomHttp = group(
  versioned(ClassroomApi),
  "classroom",
  Effect.fn(function*(handlers) {
    const lessons = yield* ClassroomLessons
    const completions = yield* Completions
    const quizzes = yield* QuizAttempts
    const submissions = yield* Submissions
    const positions = yield* Positions
    const homes = yield* Homes
    return handlers.handleAll({
      courses: asStudent((_, { club, student }) => Effect.map(lessons.courses(club.id, student.id), whole)),
      course: asStudent(({ params }, { club, student }) =>
        Effect.map(lessons.course(club.id, student.id, params.publicId), data)
      ),
      lesson: asStudent(({ params }, { club, student }) =>
        Effect.map(lessons.lesson(club.id, student.id, params.publicId), data)
      ),
      complete: asStudent(({ params }, { club, student }) =>
        Effect.map(completions.complete(club.id, student.id, params.publicId), data)
      ),
      undo: asStudent(({ params }, { club, student }) => completions.undo(club.id, student.id, params.publicId)),
      attempt: asStudent(({ params, payload }, { club, student }) =>
        Effect.map(quizzes.attempt(club.id, student.id, params.blockId, payload.answers), data)
      ),
      submit: asStudent(({ params, payload }, { club, student }) =>
        Effect.map(submissions.submit(club.id, student.id, params.blockId, payload), data)
      ),
      submissions: asStudent(({ params, query }, { club, student }) =>
        submissions.list(club.id, student.id, params.blockId, query)
      ),
      home: asStudent((_, { club, student }) => Effect.map(homes.read(club.id, student.id), data)),
      savePosition: asStudent(({ params, payload }, { club, student }) =>
        Effect.map(positions.save(club.id, student.id, params.publicId, payload), data)
      )
    })
  })
)

/** Answers the routes of `SubmissionsApi`. */
export const SubmissionsHttp = group(
  versioned(SubmissionsApi),
  "submissions",
  Effect.fn(function*(handlers) {
    const reviews = yield* Reviews
    return handlers.handleAll({
      list: asMember(({ query }, { club }) => reviews.list(club.id, query)),
      get: asMember(({ params }, { club }) => Effect.map(reviews.get(club.id, params.submissionId), data)),
      approve: asMember(({ params, payload: { feedback = null } }, { club, user }) =>
        Effect.map(
          reviews.decide(club.id, params.submissionId, { decision: "approved", feedback, reviewer_user_id: user.id }),
          data
        )
      ),
      reject: asMember(({ params, payload: { feedback } }, { club, user }) =>
        Effect.map(
          reviews.decide(club.id, params.submissionId, { decision: "rejected", feedback, reviewer_user_id: user.id }),
          data
        )
      )
    })
  })
)

/** Answers the route of `StudentProgressApi`. */
export const StudentProgressHttp = group(
  versioned(StudentProgressApi),
  "studentProgress",
  Effect.fn(function*(handlers) {
    const progress = yield* StudentProgress
    return handlers.handleAll({
      list: asMember(({ params }, { club }) => Effect.map(progress.courses(club.id, params.studentId), whole))
    })
  })
)

/** Answers the route of `LessonPreviewsApi`. */
export const LessonPreviewsHttp = group(
  versioned(LessonPreviewsApi),
  "lessonPreviews",
  Effect.fn(function*(handlers) {
    const previews = yield* LessonPreviews
    return handlers.handleAll({
      get: asMember(({ params }, { club }) => Effect.map(previews.read(club.id, params.lessonId), data))
    })
  })
)
