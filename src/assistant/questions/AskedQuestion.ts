import { Schema } from "effect"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { LessonId } from "../../learning/content/Lesson.ts"
import { PublicId } from "../../learning/content/PublicId.ts"
import { field } from "../../platform/http/Field.ts"
import { PageQuery } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Timestamp } from "../../platform/http/Timestamp.ts"
import { Instant, InstantOrNull } from "../../platform/schema/Instant.ts"
import { MessageId } from "../ask/messages/Message.ts"
import { MessageErrorCode, MessageStatus } from "../ask/messages/MessageStatus.ts"
import { Citation } from "../material/search/Citation.ts"

/** A question of a student's with its answer, as the staff reads it. */
export const AskedQuestion = Schema.Struct({
  id: MessageId.pipe(field("The question; questions sort by it as they were asked")),
  lesson: Schema.Struct({
    id: LessonId.pipe(field("Names the lesson on the dashboard's routes")),
    public_id: PublicId.pipe(field("Names it in the classroom", "respirar")),
    title: Schema.String.pipe(field("The lesson's title now", "Respirar"))
  }).pipe(field("The lesson that it is about")),
  student: Schema.Struct({
    id: StudentId.pipe(field("Names the student on routes")),
    name: Schema.String.pipe(field("The student's name now", "Ana Souza"))
  }).pipe(field("Who asked")),
  question: Schema.String.pipe(field("The question, as it was sent", "Como respiro sem levantar os ombros?")),
  answer: Schema.String
    .pipe(field("The answer so far, which may have simple Markdown; empty before the first word", "Devagar.")),
  status: MessageStatus.pipe(field("The state of the answer", "completed")),
  error_code: Schema.NullOr(MessageErrorCode).pipe(field("Why the answer failed; null unless it did", null)),
  citations: Schema.Array(Citation).pipe(field("The passages of the course's material that the answer quotes")),
  cost: Schema.Literals([0, 1])
    .pipe(field("How many answers of the club's budget it cost; 0 if its answer was refunded", 1)),
  created_at: Instant.pipe(field("When it was asked")),
  completed_at: InstantOrNull.pipe(field("When the answer ended, however it did; null while it is `generating`"))
}).annotate({ identifier: "AskedQuestion", description: "A student's question to the assistant with its answer" })
export type AskedQuestion = typeof AskedQuestion.Type

/** Which questions are listed. */
export const AskedQuery = Schema.Struct({
  ...PageQuery,
  lesson_id: Schema.optionalKey(sentId(LessonId)).pipe(field("Only questions about this lesson")),
  student_id: Schema.optionalKey(sentId(StudentId)).pipe(field("Only questions of this student")),
  status: Schema.optionalKey(MessageStatus).pipe(field("Only questions whose answer has this status", "failed")),
  since: Schema.optionalKey(Timestamp).pipe(field("Only questions asked at this moment or later")),
  until: Schema.optionalKey(Timestamp).pipe(field("Only questions asked before this moment"))
})
export type AskedQuery = typeof AskedQuery.Type
