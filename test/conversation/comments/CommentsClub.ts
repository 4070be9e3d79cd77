import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { at, enrolledStudent, foundClub, listAt, send } from "../../harness/App.ts"
import { makeEnrollment, makeLiveLesson } from "../../harness/Makers.ts"

export const unknownId = "018f0000-0000-7000-8000-000000000001"

interface Student {
  readonly token: string
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly json: unknown
}

/** The id in the answer. */
export const idOf = (answer: Answer): string => {
  const id = at(answer.json, "data", "id")
  if (typeof id !== "string") throw new Error(answer.text)
  return id
}

/** One field of every item in the list. */
export const listed = (answer: Answer, field: string) => listAt(answer.json, "data").map((item) => at(item, field))

/** The students' calls about comments. The first argument is the caller. */
const studentCalls = (path: string, lesson: { readonly public_id: string }) => {
  const lessonComments = `${path}/classroom/lessons/${lesson.public_id}/comments`
  const one = (id: string) => `${path}/classroom/comments/${id}`
  return {
    comment: (student: Student, body: unknown, headers: Record<string, string> = {}) =>
      send("POST", lessonComments, {
        token: student.token,
        body: typeof body === "string" ? { body } : body,
        headers
      }),
    comments: (student: Student, query = "") => send("GET", `${lessonComments}${query}`, { token: student.token }),
    find: (student: Student, id: string) => send("GET", one(id), student),
    replies: (student: Student, id: string, query = "") => send("GET", `${one(id)}/replies${query}`, student),
    edit: (student: Student, id: string, body: string) =>
      send("PATCH", one(id), { token: student.token, body: { body } }),
    remove: (student: Student, id: string) => send("DELETE", one(id), { token: student.token }),
    react: (student: Student, id: string, emoji: string) =>
      send("PUT", `${one(id)}/reactions/${encodeURIComponent(emoji)}`, { token: student.token }),
    unreact: (student: Student, id: string, emoji: string) =>
      send("DELETE", `${one(id)}/reactions/${encodeURIComponent(emoji)}`, { token: student.token }),
    save: (student: Student, id: string) => send("PUT", `${one(id)}/saved`, { token: student.token }),
    unsave: (student: Student, id: string) => send("DELETE", `${one(id)}/saved`, { token: student.token }),
    saved: (student: Student, query = "") =>
      send("GET", `${path}/classroom/comments/saved${query}`, { token: student.token }),
    report: (student: Student, id: string, body: unknown = {}) =>
      send("POST", `${one(id)}/report`, { token: student.token, body })
  }
}

/** The staff's calls about comments. The caller is the club's owner, unless the test names another member. */
const staffCalls = (path: string, owner: Student) => ({
  inbox: (query = "", member = owner) => send("GET", `${path}/comments${query}`, { token: member.token }),
  read: (id: string, member = owner) => send("GET", `${path}/comments/${id}`, { token: member.token }),
  answers: (id: string) => send("GET", `${path}/comments/${id}/replies`, { token: owner.token }),
  answer: (id: string, body: unknown, member = owner) =>
    send("POST", `${path}/comments/${id}/replies`, {
      token: member.token,
      body: typeof body === "string" ? { body } : body
    }),
  moderate: (id: string, body: unknown, member = owner) =>
    send("PATCH", `${path}/comments/${id}`, { token: member.token, body }),
  bury: (id: string, member = owner) => send("DELETE", `${path}/comments/${id}`, { token: member.token })
})

/** A club with a live lesson, students who have it, and the calls of students and staff about its comments. */
export const openCommentsClub = Effect.gen(function*() {
  const club = yield* foundClub()
  const made = yield* makeLiveLesson(club)
  const learner = Effect.gen(function*() {
    const student = yield* enrolledStudent(club)
    yield* makeEnrollment(club, student, made.delivery)
    return student
  })
  return {
    ...club,
    ...made,
    learner,
    ana: yield* learner,
    bia: yield* learner,
    ...studentCalls(club.path, made.lesson),
    ...staffCalls(club.path, club)
  }
})

export type CommentsClub = Effect.Success<typeof openCommentsClub>

/** The number of the club's comments in the table. */
export const countComments = Effect.fnUntraced(function*(club: { readonly id: string }) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`select count(*)::int as count from comments where club_id = ${club.id}`
  return at(row, "count")
})

/** The point entries of a student, newest first. */
export const paid = Effect.fnUntraced(function*(student: { readonly id: string }) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select action, origin_id from point_entries where student_id = ${student.id} order by id desc`
  return rows.map((row) => [at(row, "action"), at(row, "origin_id")])
})

/** Takes the lesson offline. */
export const withdraw = Effect.fnUntraced(function*({ id, lesson }: Pick<CommentsClub, "id" | "lesson">) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update lessons set published_at = null where club_id = ${id} and id = ${lesson.id}`
})

/** Deletes the lesson. */
export const deleteLesson = Effect.fnUntraced(function*({ id, lesson }: Pick<CommentsClub, "id" | "lesson">) {
  const sql = yield* SqlClient.SqlClient
  const now = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`update lessons set deleted_at = ${now} where club_id = ${id} and id = ${lesson.id}`
})

/** A ready image: the student's upload for comments, or the library's if there is no student. */
export const makeImage = Effect.fnUntraced(function*(
  club: Pick<CommentsClub, "id">,
  student: { readonly id: string } | null,
  given: { readonly kind?: string; readonly purpose?: string; readonly status?: string } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const random = yield* SecureRandom.SecureRandom
  const id = yield* random.uuidV7()
  yield* sql`
    insert into media ${
    sql.insert({
      club_id: club.id,
      id,
      kind: "image",
      purpose: student === null ? "library" : "comment",
      title: "Foto",
      provider: "storage",
      status: "ready",
      visibility: "private",
      file_name: "foto.png",
      mime: "image/png",
      size_bytes: 8,
      storage_key: `images/${id}`,
      student_id: student?.id ?? null,
      created_at: DateTime.toDateUtc(yield* DateTime.now),
      ...given
    })
  }`
  return id
}, Effect.provide(SecureRandom.layerWebCrypto))
