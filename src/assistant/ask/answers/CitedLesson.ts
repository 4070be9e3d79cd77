import type { LessonId } from "../../../learning/content/Lesson.ts"
import type { StoredCitation } from "../../material/search/Citation.ts"

/** The lesson that a student asked in. */
interface AskedLesson {
  readonly lesson_id: LessonId
  readonly lesson_public_id: string
}

/**
 * Citations as a complete answer keeps them. If all name the lesson that was asked in, each gets its key. Then a read
 * need not look for it, and `cited_public_id` is this key. Otherwise it is null, and the citations stay as they are.
 */
export const citingLesson = (citations: ReadonlyArray<StoredCitation>, { lesson_id, lesson_public_id }: AskedLesson) =>
  citations.length > 0 && citations.every((cited) => cited.lesson_id === lesson_id)
    ? { citations: citations.map((cited) => ({ ...cited, lesson_public_id })), cited_public_id: lesson_public_id }
    : { citations, cited_public_id: null }
