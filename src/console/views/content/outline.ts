import type { Schemas } from "../../../sdk/index.ts"
import type { Membership } from "../../club/Session.ts"

/** A course with its modules and their lessons, in their order. */
export type Outline = Schemas["CourseOutline"]

/** A module with its lessons. */
export type Part = Outline["modules"][number]

/** The key of the reads of a course's outline: below the course. */
export const courseKey = (club: Membership, courseId: string): string =>
  `${club.organization_id}/courses/${courseId}/outline`
