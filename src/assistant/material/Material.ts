import { Context, type Effect } from "effect"
import type { ClubId } from "../../clubs/Club.ts"
import type { CourseId, LessonId } from "../../content/Lesson.ts"
import type { StudentId } from "../../students/Student.ts"
import type { Citation } from "../Citation.ts"

/** A piece of course material that may answer a question. */
export interface Passage {
  /** Everything of a citation but what is cited: that is a part of `body`, word for word. */
  readonly source: Omit<Citation, "cited_text">
  readonly body: string
  /** Words of the question that stand in it, without those that stand everywhere. */
  readonly matched: number
  /** Words of the question that could. */
  readonly asked: number
  /** PostgreSQL's cover density rank; greater fits better. */
  readonly rank: number
}

/** What is looked for, and who looks. */
export interface MaterialQuery {
  readonly club_id: ClubId
  readonly course_id: CourseId
  /** Passages of this lesson come before others that fit as well. */
  readonly lesson_id: LessonId
  /** What this student cannot see is not found. Null: for everybody who has the course, so live lessons only. */
  readonly student_id: StudentId | null
  readonly question: string
  readonly limit: number
}

/** The text of lessons, transcripts and documents, as the assistant searches it. */
export class Material extends Context.Service<Material, {
  /** The passages of the course's live lessons that fit best, best first; none where nothing fits. */
  search(query: MaterialQuery): Effect.Effect<ReadonlyArray<Passage>>
}>()("turma/assistant/material/Material") {}
