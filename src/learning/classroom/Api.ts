import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  AllowedRoles,
  ClubMember,
  clubPath,
  ClubStudent,
  contentStaff
} from "../../identity/authentication/Authentication.ts"
import { ClubWrites, StudentWrites } from "../../identity/limits/RateLimit.ts"
import { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { NoStore } from "../../platform/http/NoStore.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Idempotent } from "../../platform/idempotency/Idempotency.ts"
import { BlockId } from "../content/Lesson.ts"
import { PublicId } from "../content/PublicId.ts"
import { MediaUnknown } from "../media/Attachments.ts"
import { ClassroomCourse, ClassroomLesson, ClassroomOutline, LessonCompletion } from "./Classroom.ts"
import {
  QuizAnswers,
  QuizAttempt,
  QuizOptionUnknown,
  QuizQuestionRepeated,
  QuizQuestionUnanswered,
  QuizQuestionUnknown
} from "./Quiz.ts"
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

/** The short key in the classroom's address. */
const named = { ...clubPath, publicId: PublicId }
const ofBlock = { ...clubPath, blockId: sentId(BlockId) }
const submission = { ...clubPath, submissionId: sentId(SubmissionId) }

const completion = "/classroom/lessons/:publicId/completion"
const ownSubmissions = "/classroom/assignments/:blockId/submissions"
const oneSubmission = "/assignments/submissions/:submissionId"

/** What a student learns and does (http-surface, classroom). Only what is live and what they have is there for them. */
export class ClassroomApi extends HttpApiGroup.make("classroom")
  .add(
    HttpApiEndpoint.get("courses", "/classroom", {
      params: clubPath,
      success: Page(ClassroomCourse)
    }).annotate(OpenApi.Summary, "List one's own courses, with the progress in each"),
    HttpApiEndpoint.get("course", "/classroom/courses/:publicId", {
      params: named,
      success: Data(ClassroomOutline),
      error: NotFound
    }).annotate(OpenApi.Summary, "Read a course, its lessons and one's own progress"),
    HttpApiEndpoint.get("lesson", "/classroom/lessons/:publicId", {
      params: named,
      success: Data(ClassroomLesson),
      error: NotFound
    }).annotate(OpenApi.Summary, "Read a lesson and what one did in it"),
    HttpApiEndpoint.put("complete", completion, {
      params: named,
      success: Data(LessonCompletion),
      error: [NotFound, StudentRemoved]
    }).annotate(OpenApi.Summary, "Complete a lesson").annotate(
      OpenApi.Description,
      "Completing it again changes nothing. Points and events of a lesson and of a course come once, whatever is undone"
    ),
    HttpApiEndpoint.delete("undo", completion, {
      params: named,
      success: HttpApiSchema.NoContent,
      error: [NotFound, StudentRemoved]
    }).annotate(OpenApi.Summary, "Undo the completion of a lesson").annotate(
      OpenApi.Description,
      "What was paid and told stays"
    ),
    HttpApiEndpoint.post("attempt", "/classroom/quizzes/:blockId/attempts", {
      params: ofBlock,
      payload: QuizAnswers,
      success: Data(QuizAttempt).pipe(HttpApiSchema.status(201)),
      error: [
        QuizQuestionUnknown,
        QuizOptionUnknown,
        NotFound,
        QuizQuestionRepeated,
        QuizQuestionUnanswered,
        StudentRemoved
      ]
    }).annotate(OpenApi.Summary, "Answer a quiz").annotate(
      OpenApi.Description,
      "Every question is answered once, with one of its options. The first attempt that passes pays"
    ).middleware(Idempotent),
    HttpApiEndpoint.post("submit", ownSubmissions, {
      params: ofBlock,
      payload: CreateSubmission,
      success: Data(Submission).pipe(HttpApiSchema.status(201)),
      error: [MediaUnknown, NotFound, StudentRemoved, SubmissionApproved, SubmissionPending]
    }).annotate(OpenApi.Summary, "Submit to an assignment").annotate(
      OpenApi.Description,
      "One submission at a time waits or is approved; a rejected one makes room for the next"
    ).middleware(Idempotent),
    HttpApiEndpoint.get("submissions", ownSubmissions, {
      params: ofBlock,
      query: PageQuery,
      success: Page(Submission),
      error: [InvalidCursor, NotFound]
    }).annotate(OpenApi.Summary, "List one's own submissions to an assignment").annotate(
      OpenApi.Description,
      "Newest first"
    )
  )
  .middleware(NoStore)
  .middleware(StudentWrites)
  .middleware(ClubStudent)
  .prefix("/clubs/:clubId")
  .annotate(OpenApi.Title, "Classroom")
  .annotate(OpenApi.Description, "What students learn and do: their courses and lessons, quizzes and assignments")
{}

/** Submissions as the staff reads and decides them. They hold what students wrote, so viewers do not see them. */
export class SubmissionsApi extends HttpApiGroup.make("submissions")
  .add(
    HttpApiEndpoint.get("list", "/assignments/submissions", {
      params: clubPath,
      query: { ...PageQuery, ...SubmissionFilter },
      success: Page(ReviewedSubmission),
      error: InvalidCursor
    }).annotate(OpenApi.Summary, "List the submissions to assignments").annotate(OpenApi.Description, "Newest first"),
    HttpApiEndpoint.get("get", oneSubmission, {
      params: submission,
      success: Data(ReviewedSubmission),
      error: NotFound
    }).annotate(OpenApi.Summary, "Read a submission"),
    HttpApiEndpoint.post("approve", `${oneSubmission}/approve`, {
      params: submission,
      payload: Approval,
      success: Data(ReviewedSubmission),
      error: [NotFound, StudentRemoved, SubmissionAlreadyReviewed]
    }).annotate(OpenApi.Summary, "Approve a submission").annotate(
      OpenApi.Description,
      "It pays the student's points, once. Approving it again changes nothing"
    ),
    HttpApiEndpoint.post("reject", `${oneSubmission}/reject`, {
      params: submission,
      payload: Rejection,
      success: Data(ReviewedSubmission),
      error: [NotFound, StudentRemoved, SubmissionAlreadyReviewed]
    }).annotate(OpenApi.Summary, "Reject a submission, saying why").annotate(
      OpenApi.Description,
      "The student may submit again. Rejecting it again changes nothing"
    )
  )
  .middleware(NoStore)
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .annotateEndpoints(AllowedRoles, contentStaff)
  .prefix("/clubs/:clubId")
  .annotate(OpenApi.Title, "Submissions")
  .annotate(OpenApi.Description, "What students submitted to assignments, and what the staff says of it")
{}
