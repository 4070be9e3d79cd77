import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  AllowedRoles,
  ClubMember,
  ClubMemberInPerson,
  clubPath,
  ClubStudent,
  contentStaff
} from "../../identity/authentication/Authentication.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { ClubWrites, StudentWrites } from "../../identity/limits/RateLimit.ts"
import { KeyFeature } from "../../identity/people/Scope.ts"
import { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { field } from "../../platform/http/Field.ts"
import { NoStore } from "../../platform/http/NoStore.ts"
import { Data, InvalidCursor, Page, PageQuery, WholeList } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Idempotent } from "../../platform/idempotency/Idempotency.ts"
import { BlockId } from "../content/Block.ts"
import { LessonId } from "../content/Lesson.ts"
import { LessonLocked } from "../content/LessonLocked.ts"
import { PublicId } from "../content/PublicId.ts"
import { MediaUnknown } from "../media/Attachments.ts"
import { ClassroomCourse, ClassroomLesson, ClassroomOutline, LessonCompletion } from "./Classroom.ts"
import { ClassroomHome } from "./Home.ts"
import { BlockUnknown, LessonPosition, SavePosition } from "./LessonPosition.ts"
import { LessonPreview } from "./LessonPreview.ts"
import {
  QuizAnswers,
  QuizAttempt,
  QuizOptionUnknown,
  QuizQuestionRepeated,
  QuizQuestionUnanswered,
  QuizQuestionUnknown
} from "./QuizAttempt.ts"
import { StudentCourse } from "./StudentCourse.ts"
import {
  Approval,
  CreateSubmission,
  Rejection,
  ReviewedSubmission,
  Submission,
  SubmissionAlreadyReviewed,
  SubmissionApproved,
  SubmissionFilter,
  SubmissionId,
  SubmissionPending
} from "./Submission.ts"

const ofCourse = {
  ...clubPath,
  publicId: PublicId
    .pipe(field("The `public_id` of a course that the student has, had or sees as `listed`", "primeiro-sopro"))
}
const aboutLesson = "The `public_id` of a live lesson of a course that the student has"
const ofLesson = { ...clubPath, publicId: PublicId.pipe(field(aboutLesson, "respirar")) }
/** A body is refused before its lesson is looked for, whatever the path says. */
const ofPlayedLesson = { ...clubPath, publicId: Schema.String.pipe(field(aboutLesson, "respirar")) }
const ofQuiz = {
  ...clubPath,
  blockId: sentId(BlockId).pipe(field("The `id` of a quiz in a live lesson of a course that the student has"))
}
const ofBlock = {
  ...clubPath,
  blockId: sentId(BlockId).pipe(field("The `id` of an assignment in a live lesson of a course that the student has"))
}
const submission = {
  ...clubPath,
  submissionId: sentId(SubmissionId).pipe(field("The `id` of a submission of a student of the club"))
}

const completion = "/classroom/lessons/:publicId/completion"
const ownSubmissions = "/classroom/assignments/:blockId/submissions"
const oneSubmission = "/assignments/submissions/:submissionId"

/**
 * The courses, lessons and actions of a student (http-surface, classroom). Students find only live content that they
 * have.
 */
export class ClassroomApi extends HttpApiGroup.make("classroom")
  .add(
    HttpApiEndpoint.get("courses", "/classroom", {
      params: clubPath,
      success: WholeList(ClassroomCourse)
    }).annotateMerge(described(
      "List one's own courses, with the progress in each",
      "Those of the deliveries that the student has now, in the club's order, all in one list; `next_cursor` is always null"
    )),
    HttpApiEndpoint.get("course", "/classroom/courses/:publicId", {
      params: ofCourse,
      success: Data(ClassroomOutline),
      error: NotFound
    }).annotateMerge(described(
      "Read a course, its lessons and one's own progress",
      "Live lessons alone, in their modules. A course that the student had, or that is `listed`, is `locked`. It shows its title, subtitle, instructor and cover, and the titles of its modules and lessons. 404 for any other course that they do not have"
    )),
    HttpApiEndpoint.get("lesson", "/classroom/lessons/:publicId", {
      params: ofLesson,
      success: Data(ClassroomLesson),
      error: [LessonLocked, NotFound]
    }).annotateMerge(described(
      "Read a lesson and what one did in it",
      "Its blocks with the latest attempt at each quiz and the latest submission to each assignment. Addresses of files end after an hour. 404 unless the lesson is live and the student has its course now; 403 says when it opens, if that is later"
    )),
    HttpApiEndpoint.put("complete", completion, {
      params: ofLesson,
      success: Data(LessonCompletion),
      error: [LessonLocked, NotFound, StudentRemoved]
    }).annotateMerge(described(
      "Complete a lesson",
      "Completing it again changes nothing. The first time pays `lesson_completed` and sends `lesson.completed`. The course's last live lesson also pays `course_completed` and sends `course.completed`. Points and events of a lesson and of a course come once, whatever is undone"
    )),
    HttpApiEndpoint.delete("undo", completion, {
      params: ofLesson,
      success: HttpApiSchema.NoContent,
      error: [LessonLocked, NotFound, StudentRemoved]
    }).annotateMerge(described(
      "Undo the completion of a lesson",
      "Points and events that went out stay, and do not go out again. Undoing what is not completed changes nothing"
    )),
    HttpApiEndpoint.post("attempt", "/classroom/quizzes/:blockId/attempts", {
      params: ofQuiz,
      payload: QuizAnswers,
      success: Data(QuizAttempt).pipe(HttpApiSchema.status(201)),
      error: [
        QuizQuestionUnknown,
        QuizOptionUnknown,
        LessonLocked,
        NotFound,
        QuizQuestionRepeated,
        QuizQuestionUnanswered,
        StudentRemoved
      ]
    }).annotateMerge(described(
      "Answer a quiz",
      "Every question is answered once, with one of its options; any correct option counts. A student has as many attempts as they like, and never learns which options are correct. The first attempt that passes pays `quiz_passed`"
    )).middleware(Idempotent),
    HttpApiEndpoint.post("submit", ownSubmissions, {
      params: ofBlock,
      payload: CreateSubmission,
      success: Data(Submission).pipe(HttpApiSchema.status(201)),
      error: [LessonLocked, MediaUnknown, NotFound, StudentRemoved, SubmissionApproved, SubmissionPending]
    }).annotateMerge(described(
      "Submit to an assignment",
      "One submission at a time waits or is approved; a rejected one makes room for the next. The staff finds it in its list, without a mail. It pays `assignment_approved` once it is approved"
    )).middleware(Idempotent),
    HttpApiEndpoint.get("submissions", ownSubmissions, {
      params: ofBlock,
      query: PageQuery,
      success: Page(Submission),
      error: [InvalidCursor, LessonLocked, NotFound]
    }).annotateMerge(described(
      "List one's own submissions to an assignment",
      "Newest first, with what the staff says of each"
    )),
    HttpApiEndpoint.get("home", "/classroom/home", {
      params: clubPath,
      success: Data(ClassroomHome)
    }).annotateMerge(described(
      "Read where one goes on",
      "One's own courses with their next lessons, courses to know of, unread notifications, new lessons, what is to do again, and the next live"
    )),
    HttpApiEndpoint.put("savePosition", "/classroom/lessons/:publicId/position", {
      params: ofPlayedLesson,
      payload: SavePosition,
      success: Data(LessonPosition),
      error: [BlockUnknown, NotFound, StudentRemoved]
    }).annotateMerge(described(
      "Keep where one is in a lesson",
      "For a player to go on from there, on any device: every few seconds of playing are enough. The lesson then has it as `position`. Of two that come at once the later one stays. It completes nothing and pays nothing"
    ))
  )
  .middleware(NoStore)
  .middleware(StudentWrites)
  .middleware(ClubStudent)
  .prefix("/clubs/:clubId")
  .annotate(GroupAudience, "classroom")
  .annotate(OpenApi.Title, "Classroom")
  .annotate(OpenApi.Description, "Students' courses and lessons, quizzes and assignments")
{}

/** Submissions as the staff reads and decides them. They hold students' texts, so viewers do not see them. */
export class SubmissionsApi extends HttpApiGroup.make("submissions")
  .add(
    HttpApiEndpoint.get("list", "/assignments/submissions", {
      params: clubPath,
      query: { ...PageQuery, ...SubmissionFilter },
      success: Page(ReviewedSubmission),
      error: InvalidCursor
    }).annotateMerge(described(
      "List the submissions to assignments",
      "Newest first, those to deleted lessons too. Filters narrow it together"
    )),
    HttpApiEndpoint.get("get", oneSubmission, {
      params: submission,
      success: Data(ReviewedSubmission),
      error: NotFound
    }).annotateMerge(described("Read a submission", "With addresses of its files, which end after an hour")),
    HttpApiEndpoint.post("approve", `${oneSubmission}/approve`, {
      params: submission,
      payload: Approval,
      success: Data(ReviewedSubmission),
      error: [NotFound, StudentRemoved, SubmissionAlreadyReviewed]
    }).annotateMerge(described(
      "Approve a submission",
      "It pays the student `assignment_approved`, once for each assignment. Approving it again changes nothing, its feedback neither; one that was rejected stays so. The student is notified"
    )),
    HttpApiEndpoint.post("reject", `${oneSubmission}/reject`, {
      params: submission,
      payload: Rejection,
      success: Data(ReviewedSubmission),
      error: [NotFound, StudentRemoved, SubmissionAlreadyReviewed]
    }).annotateMerge(described(
      "Reject a submission, saying why",
      "The student reads why and may submit again. Rejecting it again changes nothing, its feedback neither; one that was approved stays so. The student is notified"
    ))
  )
  .middleware(NoStore)
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .annotateEndpoints(AllowedRoles, contentStaff)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "content")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Submissions")
  .annotate(OpenApi.Description, "Students' submissions to assignments, and the staff's feedback")
{}

/** The progress of students, as the staff sees it with the student. */
export class StudentProgressApi extends HttpApiGroup.make("studentProgress")
  .add(HttpApiEndpoint.get("list", "/students/:studentId/progress", {
    params: {
      ...clubPath,
      studentId: sentId(StudentId).pipe(field("The `id` of a student of the club, removed ones included"))
    },
    success: WholeList(StudentCourse),
    error: NotFound
  }).annotateMerge(described(
    "Read how far a student is in each course",
    "The courses that the student has now or has begun, in the club's order; `next_cursor` is always null"
  )))
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "students")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Progress")
  .annotate(OpenApi.Description, "How far students are in their courses")
{}

/** Lessons as students would read them, for the staff that writes them. No key reads them: they are for a page. */
export class LessonPreviewsApi extends HttpApiGroup.make("lessonPreviews")
  .add(HttpApiEndpoint.get("get", "/lessons/:lessonId/preview", {
    params: {
      ...clubPath,
      lessonId: sentId(LessonId).pipe(field("The `id` of a lesson of the club, live or not"))
    },
    success: Data(LessonPreview),
    error: NotFound
  }).annotateMerge(described(
    "Read a lesson as students would",
    "Drafts and scheduled lessons too. Which answers of a quiz are correct is not told, and nothing is written. Addresses of files end after an hour"
  )))
  .middleware(NoStore)
  .middleware(ClubMemberInPerson)
  .prefix("/clubs/:clubId")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Lesson previews")
  .annotate(OpenApi.Description, "Lessons as students would read them")
{}
