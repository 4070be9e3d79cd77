import type { Schemas } from "../../../sdk/index.ts"
import { standingKey } from "../../club/standing.ts"
import { clubId } from "../../club/View.ts"

/** A lesson, as its student reads it. */
export type Lesson = Schemas["ClassroomLesson"]

/** The key of a lesson. Its comments have keys of their own. */
export const lessonKey = (publicId: string): string => `${clubId}/lessons/${publicId}/page`

/** The keys of everything that changes with an action in a lesson: its course, the first page and the points. */
export const touchedKeys = (publicId: string, course: string): ReadonlyArray<string> => [
  lessonKey(publicId),
  `${clubId}/courses/${course}`,
  `${clubId}/home`,
  standingKey
]
