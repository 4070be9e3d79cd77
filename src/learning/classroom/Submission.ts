import { Schema } from "effect"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { UserId } from "../../identity/ids/UserId.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { sentId, text } from "../../platform/http/Text.ts"
import { brandedId } from "../../platform/schema/brandedId.ts"
import { Instant, InstantOrNull } from "../../platform/schema/Instant.ts"
import { BlockId } from "../content/Block.ts"
import { LessonId } from "../content/Lesson.ts"
import { MediaId, ShownMedia } from "../media/Media.ts"

/** UUIDv7, so submissions sort by their creation. */
export const SubmissionId = brandedId("SubmissionId")
export type SubmissionId = typeof SubmissionId.Type

/** A submission waits until the staff approves or rejects it. After a rejection the student may submit again. */
export const SubmissionStatus = Schema.Literals(["pending", "approved", "rejected"])
export type SubmissionStatus = typeof SubmissionStatus.Type

/** The staff's decision about a submission. */
export type Decision = Exclude<SubmissionStatus, "pending">

/** The columns of a submission that are answered as they are stored. */
export const storedSubmission = {
  id: SubmissionId.pipe(field("Names the submission on routes; sorts submissions by their creation")),
  block_id: BlockId.pipe(field("The assignment, a block of a lesson, that it was submitted to")),
  body: Schema.String
    .pipe(field("The student's words; empty once the student was removed", "Dez segundos, sem levantar os ombros.")),
  status: SubmissionStatus
    .pipe(field("`pending` until the staff decides. A decision stays; after a rejection the student may submit again")),
  feedback: Schema.NullOr(Schema.String)
    .pipe(field(
      "The staff's feedback; null before the decision, without words, and once the student was removed",
      null
    )),
  reviewed_at: InstantOrNull.pipe(field("When the staff decided; null before that", null)),
  created_at: Instant.pipe(field("When it was submitted"))
}

const media = Schema.Array(ShownMedia)
  .pipe(field("The files that came with it, in the student's order, without removed ones"))

/** A submission as its student sees it. */
export const Submission = Schema.Struct({ ...storedSubmission, media }).annotate({
  identifier: "Submission",
  description: "A student's submission to an assignment"
})
export type Submission = typeof Submission.Type

/** Further fields for the staff: the student, the assignment, and the member who decided. */
export const reviewedSubmission = {
  ...storedSubmission,
  student: Schema.Struct({
    id: StudentId.pipe(field("Names the student on the dashboard's routes")),
    name: Schema.String.pipe(field("The student's name now", "Noel Rosa")),
    anonymized: Schema.Boolean.pipe(field("True if the student was removed; the name is then a stand-in", false))
  }).pipe(field("Who submitted it")),
  block_title: Schema.NullOr(Schema.String)
    .pipe(field("The assignment's title; null: no title", "Uma respiração por vez")),
  lesson: Schema.Struct({
    id: LessonId.pipe(field("Names the lesson on the dashboard's routes")),
    public_id: Schema.String.pipe(field("The lesson's key in addresses of the classroom", "respirar")),
    title: Schema.String.pipe(field("The lesson's title now", "Respirar"))
  }).pipe(field("The lesson that the assignment is in, deleted or not")),
  reviewer_user_id: Schema.NullOr(UserId).pipe(field("The member of the staff who decided; null before that", null))
}

/** A submission as the staff sees it. */
export const ReviewedSubmission = Schema.Struct({ ...reviewedSubmission, media }).annotate({
  identifier: "ReviewedSubmission",
  description: "A submission as the staff sees it. It stays when its assignment or lesson is deleted"
})
export type ReviewedSubmission = typeof ReviewedSubmission.Type

/** The body of a submission. The media are the student's own, uploaded for submissions. */
export const CreateSubmission = Schema.Struct({
  body: text(1, 20_000)
    .pipe(field("The student's words, or a note about the files", "Dez segundos, sem levantar os ombros.")),
  media_ids: Schema.optionalKey(Schema.Array(sentId(MediaId)).check(Schema.isMaxLength(10), Schema.isUnique()))
    .pipe(field("Files that the student uploaded for submissions and confirmed, each at most once, in the order shown; no files if absent"))
})
export type CreateSubmission = typeof CreateSubmission.Type

const feedback = text(1, 5000)

/** An approval, with feedback if there is any. */
export const Approval = Schema.Struct({
  feedback: Schema.optionalKey(feedback)
    .pipe(field("Words for the student beside the approval; no words if absent", "Muito bem, Noel!"))
})
/** A rejection, with the feedback that explains it. */
export const Rejection = Schema.Struct({
  feedback: feedback.pipe(field("Words for the student: why, and what to do better", "Solte o ar mais devagar."))
})

/** The filters of the list of submissions. */
export const SubmissionFilter = {
  status: Schema.optionalKey(SubmissionStatus).pipe(field("Only submissions that wait, or were decided so")),
  block_id: Schema.optionalKey(sentId(BlockId)).pipe(field("Only submissions to this assignment")),
  lesson_id: Schema.optionalKey(sentId(LessonId)).pipe(field("Only submissions to assignments of this lesson")),
  student_id: Schema.optionalKey(sentId(StudentId)).pipe(field("Only submissions of this student"))
}

/** An earlier submission is not decided yet. */
export class SubmissionPending extends ApiError<SubmissionPending>()("SubmissionPending", {
  status: 409,
  code: "submission_pending",
  message: {
    en: "An earlier submission to this assignment waits for the staff: wait for their answer",
    "pt-BR": "Um envio anterior desta tarefa ainda aguarda a equipe."
  }
}) {}

/** An earlier submission was approved. */
export class SubmissionApproved extends ApiError<SubmissionApproved>()("SubmissionApproved", {
  status: 409,
  code: "submission_approved",
  message: {
    en: "An earlier submission to this assignment was approved",
    "pt-BR": "Um envio anterior desta tarefa já foi aprovado."
  }
}) {}

/** The staff decided the other way before. */
export class SubmissionAlreadyReviewed extends ApiError<SubmissionAlreadyReviewed>()("SubmissionAlreadyReviewed", {
  status: 409,
  code: "submission_already_reviewed",
  message: {
    en: "The submission was decided differently before",
    "pt-BR": "Este envio já recebeu outra decisão."
  }
}) {}
