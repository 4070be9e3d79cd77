import { Schema } from "effect"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { UserId } from "../../identity/ids/UserId.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { sentId, text } from "../../platform/http/Text.ts"
import { BlockId } from "../content/Block.ts"
import { LessonId } from "../content/Lesson.ts"
import { MediaId, ShownMedia } from "../media/Media.ts"

/** UUIDv7, so submissions sort by when they were made. */
export const SubmissionId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("SubmissionId"))
export type SubmissionId = typeof SubmissionId.Type

/** A submission waits until the staff approves or rejects it. After a rejection the student may submit again. */
export const SubmissionStatus = Schema.Literals(["pending", "approved", "rejected"])
export type SubmissionStatus = typeof SubmissionStatus.Type

/** What the staff decides about a submission. */
export type Decision = Exclude<SubmissionStatus, "pending">

/** The columns of a submission that are answered as they are stored. */
export const storedSubmission = {
  id: SubmissionId,
  block_id: BlockId,
  body: Schema.String,
  status: SubmissionStatus,
  feedback: Schema.NullOr(Schema.String),
  reviewed_at: Schema.NullOr(Schema.DateTimeUtcFromDate),
  created_at: Schema.DateTimeUtcFromDate
}

/** A submission as its student sees it. Media that were removed are left out. */
export const Submission = Schema.Struct({ ...storedSubmission, media: Schema.Array(ShownMedia) }).annotate({
  identifier: "Submission"
})
export type Submission = typeof Submission.Type

/** What the staff sees in addition: whose it is, to what, and who decided. */
export const reviewedSubmission = {
  ...storedSubmission,
  student: Schema.Struct({ id: StudentId, name: Schema.String, anonymized: Schema.Boolean }),
  block_title: Schema.NullOr(Schema.String),
  lesson: Schema.Struct({ id: LessonId, public_id: Schema.String, title: Schema.String }),
  reviewer_user_id: Schema.NullOr(UserId)
}

/** A submission as the staff sees it. It stays when its block or lesson is deleted. */
export const ReviewedSubmission = Schema.Struct({ ...reviewedSubmission, media: Schema.Array(ShownMedia) }).annotate({
  identifier: "ReviewedSubmission"
})
export type ReviewedSubmission = typeof ReviewedSubmission.Type

/** What a student hands in. The media are their own, uploaded for submissions. */
export const CreateSubmission = Schema.Struct({
  body: text(1, 20_000),
  media_ids: Schema.optionalKey(
    Schema.Array(sentId(MediaId)).check(Schema.isMaxLength(10), Schema.isUnique())
  )
})
export type CreateSubmission = typeof CreateSubmission.Type

const feedback = text(1, 5000)

/** An approval, with feedback if there is any. */
export const Approval = Schema.Struct({ feedback: Schema.optionalKey(feedback) })
/** A rejection, with the feedback that explains it. */
export const Rejection = Schema.Struct({ feedback })

/** What the list of submissions is narrowed to. */
export const SubmissionFilter = {
  status: Schema.optionalKey(SubmissionStatus),
  block_id: Schema.optionalKey(sentId(BlockId)),
  lesson_id: Schema.optionalKey(sentId(LessonId)),
  student_id: Schema.optionalKey(sentId(StudentId))
}

/** An earlier submission is not decided yet. */
export class SubmissionPending extends ApiError<SubmissionPending>()("SubmissionPending", {
  status: 409,
  code: "submission_pending",
  message: "An earlier submission to this assignment waits for the staff: wait for their answer"
}) {}

/** An earlier submission was approved. */
export class SubmissionApproved extends ApiError<SubmissionApproved>()("SubmissionApproved", {
  status: 409,
  code: "submission_approved",
  message: "An earlier submission to this assignment was approved"
}) {}

/** The staff decided the other way before. */
export class SubmissionAlreadyReviewed extends ApiError<SubmissionAlreadyReviewed>()("SubmissionAlreadyReviewed", {
  status: 409,
  code: "submission_already_reviewed",
  message: "The submission was decided differently before"
}) {}
