import { DateTime, Effect } from "effect"
import type { CourseId } from "../../learning/content/Course.ts"
import { say } from "./Narrator.ts"
import type { Club } from "./People.ts"
import { Turma } from "./Turma.ts"

/** A course, and the key of its lesson in the classroom's address. */
export interface Course {
  readonly id: CourseId
  readonly publicId: string
}

const words = "O polegar toca as três cordas graves. Os outros dedos tocam as agudas, uma cada um."

/** A course of one lesson, which is live. */
export const teach = Effect.fnUntraced(function*({ clubId, owner }: Club) {
  const { data: course } = yield* owner.courses.create({ params: { clubId }, payload: { title: "Violão do zero" } })
  const { data: module } = yield* owner.courses.createModule({
    params: { clubId, courseId: course.id },
    payload: { title: "As mãos" }
  })
  const { data: lesson } = yield* owner.lessons.create({
    params: { clubId, moduleId: module.id },
    payload: { title: "A mão direita" }
  })
  const params = { clubId, lessonId: lesson.id }
  yield* owner.lessons.createBlock({ params, payload: { kind: "text", body: words } })
  yield* owner.lessons.publish({ params, payload: { published_at: yield* DateTime.now } })
  yield* say("you", `write and publish a lesson, ${lesson.title}: POST …/courses, …/modules, …/lessons, …/blocks`)
  return { id: course.id, publicId: lesson.public_id } satisfies Course
})

/** The student comes by the link in their mail and completes the lesson, which pays points. */
export const completeLesson = Effect.fnUntraced(function*({ clubId }: Club, { publicId }: Course, email: string) {
  const turma = yield* Turma
  const open = yield* turma.client()
  const { data: grant } = yield* open.studentAuth.exchange({ payload: { code: yield* turma.linkMailedTo(email) } })
  const student = yield* turma.client(grant.access_token)
  const { data: done } = yield* student.classroom.complete({ params: { clubId, publicId } })
  yield* say("you", `Duda enters by the mailed link and completes it: PUT …/completion, ${done.points_awarded} points`)
})
