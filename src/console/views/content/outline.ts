import type { Schemas } from "../../../sdk/index.ts"
import { turma } from "../../client/Api.ts"
import type { Membership } from "../../client/Session.ts"
import { ofClub } from "../../client/View.ts"

/** A module with its lessons, in their order. */
export interface Part {
  readonly module: Schemas["Module"]
  readonly lessons: ReadonlyArray<Schemas["Lesson"]>
}

/** What a course is made of, in its order. */
export type Outline = ReadonlyArray<Part>

/** Where the outline of a course is kept among the reads. */
export const courseKey = (club: Membership, courseId: string): string => `${club.organization_id}/outlines/${courseId}`

/** Reads the modules of a course and their lessons. */
export const readOutline = async (club: Membership, courseId: string, signal: AbortSignal): Promise<Outline> => {
  const { data } = await turma.courses.listModules({ ...ofClub(club), courseId }, { signal })
  return Promise.all(data.map(async (module) => {
    const lessons = await turma.lessons.list({ ...ofClub(club), moduleId: module.id }, { signal })
    return { module, lessons: lessons.data }
  }))
}
