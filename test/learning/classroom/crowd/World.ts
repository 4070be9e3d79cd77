import { assert } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { StudentId } from "../../../../src/identity/ids/StudentId.ts"
import type { MediaPurpose } from "../../../../src/learning/media/Media.ts"
import { at, enrolledStudent, foundClub, send } from "../../../harness/App.ts"
import {
  makeBlock,
  makeCatalogDelivery,
  makeCourse,
  makeEnrollment,
  makeItem,
  makeLesson,
  makeMedia,
  makeModule
} from "../../../harness/Makers.ts"
import type { Dice } from "../../../simulation/Dice.ts"
import { makeAssignment, makeQuiz } from "../OpenClassroom.ts"

// One club with few rows, so that many people work on the same rows at once.

const announced = { title: "Roda", starts_at: "2026-05-10T18:00:00.000Z" }

/** A student with a session. */
interface Member {
  readonly id: StudentId
  readonly email: string
  readonly token: string
}

interface Hall {
  readonly club: Effect.Success<ReturnType<typeof foundClub>>
  readonly delivery: Effect.Success<ReturnType<typeof makeCatalogDelivery>>
  readonly students: Array<Member>
}

/** A new student with the delivery. The list keeps only the latest six students. */
export const arrive = Effect.fnUntraced(function*({ club, delivery, students }: Hall) {
  const student = yield* enrolledStudent(club)
  yield* makeEnrollment(club, student, delivery)
  students.push(student)
  if (students.length > 6) students.shift()
})

/** A club with all parts of a classroom, and the people who use it. */
export const openCrowd = Effect.fnUntraced(function*(dice: Dice) {
  const club = yield* foundClub()
  const { path, token } = club
  const course = yield* makeCourse(club)
  const [first, second] = [yield* makeModule(club, course), yield* makeModule(club, course, { position: 2 })]
  const lessons = yield* Effect.forEach(
    [first, second, first],
    (module, index) => makeLesson(club, module, { position: index + 1 })
  )
  const blocks = yield* Effect.forEach(lessons, (lesson) =>
    Effect.all({
      lesson: Effect.succeed(lesson),
      text: makeBlock(club, lesson, { kind: "text", body: "O acorde de dó maior tem três dedos." }, { position: 1 }),
      quiz: makeQuiz(club, lesson),
      assignment: makeAssignment(club, lesson)
    }))
  const media = [
    yield* makeMedia(club, { kind: "video", provider: "youtube" }),
    yield* makeMedia(club, { kind: "image" })
  ]
  const opened = yield* send("PATCH", `${path}/community`, { token, body: { published_at: "2026-01-01T00:00:00Z" } })
  const live = yield* send("POST", `${path}/lives`, { token, body: announced })
  const live_id = String(at(live.json, "data", "id"))
  yield* send("POST", `${path}/lives/${live_id}/open`, { token })
  const agents = yield* send("GET", `${path}/agents`, { token })
  const delivery = yield* makeCatalogDelivery(club)
  const other = yield* makeCatalogDelivery(club, { name: "Outra" })
  yield* makeItem(club, delivery, { kind: "course", id: course.id })
  yield* send("PATCH", `${path}/deliveries/${delivery.id}`, {
    token,
    body: { items: [{ kind: "course", id: course.id }, { kind: "live", id: live_id }] }
  })
  const students: Array<Member> = []
  const hall = { club, delivery, students }
  yield* Effect.forEach([1, 2, 3, 4, 5], () => arrive(hall))
  return {
    ...hall,
    agent_id: String(at(agents.json, "data", 0, "id")),
    blocks,
    club_id: club.id,
    course,
    dice,
    live_id,
    media,
    modules: [first, second],
    other,
    path,
    space: String(at(opened.json, "data", "spaces", 1, "id")),
    token
  }
})
export type Crowd = Effect.Success<ReturnType<typeof openCrowd>>

/** One of the latest rows of a table. */
export const anyOf = Effect.fnUntraced(function*({ club_id, dice }: Crowd, table: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`select id from ${sql(table)} where club_id = ${club_id} order by id desc limit 12`
  return String(dice.pick(rows)?.["id"] ?? "0190a000-0000-7000-8000-000000000000")
})

/** One of these. The list is never empty. */
const chosen = <A>({ dice }: Crowd, from: ReadonlyArray<A>): A =>
  dice.pick(from) ?? assert.fail("Nothing to choose from")

export const someone = (world: Crowd) => chosen(world, world.students)
export const somewhere = (world: Crowd) => chosen(world, world.blocks)

/** A few keys, so that requests meet their own repetition. */
export const keyed = ({ dice }: Crowd, what: string): Record<string, string> =>
  dice.chance(0.4) ? { "idempotency-key": `${what}-${dice.between(1, 400)}` } : {}

/** An image that a student has uploaded and nothing uses. Some images are old enough for the clean-up. */
const upload = Effect.fnUntraced(function*(world: Crowd, student_id: string, purpose: MediaPurpose) {
  const { club_id, dice } = world
  const sql = yield* SqlClient.SqlClient
  const random = yield* SecureRandom.SecureRandom
  const id = yield* random.uuidV7()
  const days = dice.chance(0.5) ? 8 : 0
  const created_at = DateTime.toDateUtc(DateTime.subtract(yield* DateTime.now, { days }))
  yield* sql`
    insert into media (club_id, id, kind, purpose, title, provider, status, visibility, storage_key, student_id, created_at)
    select club_id, ${id}::uuid, 'image', ${purpose}, 'segredo', 'storage', 'ready', 'private', ${`crowd/${id}`}, id,
      ${created_at}
    from students where club_id = ${club_id} and id = ${student_id}::uuid and removed_at is null for no key update`
  return id
}, Effect.provide(SecureRandom.layerWebCrypto))

/** An image in three of ten cases. */
export const imagesOf = (world: Crowd, student_id: string, purpose: MediaPurpose) =>
  world.dice.chance(0.3)
    ? Effect.map(upload(world, student_id, purpose), (id) => [id])
    : Effect.succeed<ReadonlyArray<string>>([])

export const words = ({ dice }: Crowd) =>
  dice.chance(0.15) ? "segredo https://a.example https://b.example https://c.example https://d.example" : "segredo"

/** A comment with random mentions, sometimes as a reply. */
export const saying = Effect.fnUntraced(function*(world: Crowd, media_ids: ReadonlyArray<string>) {
  const { dice } = world
  const mentions = [...new Set([someone(world).id, someone(world).id].filter(() => dice.chance(0.4)))]
  const parent = dice.chance(0.5) ? { parent_id: yield* anyOf(world, "comments") } : {}
  return { body: words(world), mentions, media_ids, ...parent }
})
