import { Context, type Effect, Schema, type Stream } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { CourseId } from "../../learning/content/Course.ts"
import type { LessonId } from "../../learning/content/Lesson.ts"
import type { StoredCitation } from "../material/search/Citation.ts"

/** A person's question about a lesson. All of it is data, never an instruction to the assistant. */
export interface Question {
  readonly club_id: ClubId
  readonly course_id: CourseId
  readonly lesson_id: LessonId
  readonly lesson_title: string
  /** The student who asks; null if many will read the answer. */
  readonly student_id: StudentId | null
  readonly agent_name: string
  /** The language of the assistant's own fixed sentences. */
  readonly locale: "pt-BR" | "en"
  readonly content: string
  /** The messages of the conversation before `content`, oldest first. */
  readonly history: ReadonlyArray<{ readonly role: "user" | "assistant"; readonly content: string }>
}

/** A part of an answer. Text parts, joined, are the answer; a citation belongs to the text before it. */
export type AnswerPart =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Citation"; readonly citation: StoredCitation }

/** The answer failed, before its first part or after some. */
export class AnswerFailed extends Schema.TaggedError<AnswerFailed>()("AnswerFailed", {
  code: Schema.Literals(["timeout", "provider_unavailable", "provider_rate_limited", "answer_refused"])
}) {}

/** The assistant's public reply, or why it stays silent. `confidence` is between 0 and 1. */
export type Reply =
  | {
    readonly _tag: "Answer"
    readonly content: string
    readonly citations: ReadonlyArray<StoredCitation>
    readonly confidence: number
  }
  | { readonly _tag: "Silence"; readonly reason: "no_material" | "low_confidence" | "not_a_question" }

/**
 * The source of answers. It quotes sentences from the course material (`AI_PROVIDER=none`, offline), or it is a
 * language model that reads the material. Every citation is word for word in a stored chunk.
 */
export class Assistant extends Context.Service<Assistant, {
  /** The answer to the person who asked, part by part. If the material has no answer, it says so. */
  answer(question: Question): Stream.Stream<AnswerPart, AnswerFailed>
  /** The reply below a comment, which everybody reads; silent if the confidence is low. */
  reply(question: Question): Effect.Effect<Reply, AnswerFailed>
}>()("turma/assistant/providers/Assistant") {}
