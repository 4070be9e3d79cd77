import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../src/identity/ids/ClubId.ts"
import type { StudentId } from "../../../src/identity/ids/StudentId.ts"
import { MediaId } from "../../../src/learning/media/Media.ts"
import { enrolledStudent, foundClub, send } from "../../harness/App.ts"
import { makeEnrollment } from "../../harness/Makers.ts"
import { makeTaughtCourse } from "./OpenClassroom.ts"

/** A club with a course of live lessons, and a student with a session who has the course. */
export const openCourse = Effect.fn("openCourse")(function*(count = 2) {
  const club = yield* foundClub()
  const student = yield* enrolledStudent(club)
  const taught = yield* makeTaughtCourse(club, count)
  const [lesson] = taught.lessons
  if (lesson === undefined) return yield* Effect.die(new Error("No lesson"))
  yield* makeEnrollment(club, student, taught.delivery)
  return { club, student, lesson, ...taught }
})

interface Place {
  readonly club: { readonly path: string }
  readonly student: { readonly token: string }
}

/** A request of the student, below `/classroom`. */
export const ask = (
  { club, student }: Place,
  method: "DELETE" | "GET" | "POST" | "PUT",
  path = "",
  body?: unknown,
  headers: Record<string, string> = {}
) =>
  send(method, `${club.path}/classroom${path}`, {
    token: student.token,
    headers,
    ...body === undefined ? {} : { body }
  })

/** A video of a hosted provider, in the library or in a student's submission. */
export const makeVideo = Effect.fn("makeVideo")(function*(
  club: { readonly id: ClubId },
  student?: { readonly id: StudentId }
) {
  const sql = yield* SqlClient.SqlClient
  const random = yield* SecureRandom.SecureRandom
  const id = MediaId.make(yield* random.uuidV7())
  yield* sql`
    insert into media ${
    sql.insert({
      club_id: club.id,
      id,
      kind: "video",
      purpose: student === undefined ? "library" : "submission",
      title: "Acorde de Lá",
      provider: "youtube",
      status: "ready",
      visibility: "private",
      external_id: "dQw4w9WgXcQ",
      student_id: student?.id ?? null,
      created_at: DateTime.toDateUtc(yield* DateTime.now)
    })
  }`
  return id
}, Effect.provide(SecureRandom.layerWebCrypto))
