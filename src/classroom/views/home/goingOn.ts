// Which course a student goes on with. Pure.

interface Course {
  readonly progress: { readonly completed_count: number }
  readonly next_lesson: { readonly position: { readonly updated_at: string } | null } | null
}

const seenAt = ({ next_lesson }: Course) => next_lesson?.position?.updated_at ?? ""

/**
 * The course to go on with. It is the course of the last played video. Without one it is the first course with a completed
 * lesson, or else the first with an open one. Undefined if there is nothing left to do.
 */
export const goingOn = <C extends Course>(courses: ReadonlyArray<C>): C | undefined => {
  const open = courses.filter(({ next_lesson }) => next_lesson !== null)
  const played = open.filter((course) => seenAt(course) !== "")
    .toSorted((one, other) => seenAt(other) < seenAt(one) ? -1 : 1)
  return played[0] ?? open.find(({ progress }) => progress.completed_count > 0) ?? open[0]
}
