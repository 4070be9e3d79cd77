import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Events } from "../../src/events/Events.ts"
import { ClubId, OrganizationId } from "../../src/identity/ids/ClubId.ts"
import { StudentId } from "../../src/identity/ids/StudentId.ts"
import type { Dice } from "./Dice.ts"
import type { Gate } from "./Gate.ts"

/** A club with its students, including removed ones. */
export interface SimulatedClub {
  readonly id: ClubId
  readonly organization_id: OrganizationId
  readonly students: Array<StudentId>
}

const uuid = (dice: Dice, version: 4 | 7): string => {
  const hex = Buffer.from(dice.bytes(16)).toString("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}

/** A club with an owner and an admin, who get a mail when an endpoint is disabled. */
export const foundClub = (gate: Gate, dice: Dice, now: number): Effect.Effect<SimulatedClub> =>
  Effect.gen(function*() {
    const [id, organization_id, at] = [uuid(dice, 7), uuid(dice, 4), new Date(now)]
    yield* gate.ask(
      `insert into clubs (id, organization_id, name, slug, time_zone, locale, sign_up_open, created_at)
     values ($1, $2, 'Violão Fácil', $3, 'UTC', 'en', true, $4)`,
      [id, organization_id, `club-${id}`, at]
    )
    for (const role of ["owner", "admin"]) {
      const user = uuid(dice, 7)
      yield* gate.ask(
        `insert into users (id, email, name, password_hash, verified_at, created_at)
       values ($1, $2, 'Ana Souza', 'unusable', $3, $3)`,
        [user, `${user}@user.example`, at]
      )
      yield* gate.ask("insert into members (club_id, user_id, role, created_at) values ($1, $2, $3, $4)", [
        id,
        user,
        role,
        at
      ])
    }
    return { id: ClubId.make(id), organization_id: OrganizationId.make(organization_id), students: [] }
  })

/** Creates a student and its fact in one transaction. */
export const enroll = Effect.fnUntraced(function*({ id: club_id }: SimulatedClub) {
  const sql = yield* SqlClient.SqlClient
  const events = yield* Events
  const random = yield* SecureRandom.SecureRandom
  const id = StudentId.make(yield* random.uuidV7())
  const created_at = DateTime.toDateUtc(yield* DateTime.now)
  return yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql`
      insert into students ${
      sql.insert({ id, club_id, email: `${id}@student.example`, name: "Bia Lima", verified_at: null, created_at })
    }`
    return {
      student: id,
      event: yield* events.record(club_id, { type: "student.created", student_id: id, origin: "sign_up" })
    }
  }))
}, Effect.orDie)

/** Changes students and records the facts together. */
export const tell = Effect.fnUntraced(function*(
  { id: club_id }: SimulatedClub,
  told: ReadonlyArray<
    {
      readonly name: string | undefined
      readonly student: StudentId
      readonly type: "student.updated" | "lesson.completed"
    }
  >
) {
  const events = yield* Events
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  const facts = told.map(({ student: student_id, type }) =>
    type === "student.updated"
      ? { type, student_id, changed: ["name" as const] }
      : { type, student_id, lesson_id: club_id, completed_at: now }
  )
  return yield* sql.withTransaction(Effect.gen(function*() {
    for (const { name, student, type } of told) {
      if (type !== "student.updated" || name === undefined) continue
      yield* sql`update students set name = ${name} where club_id = ${club_id} and id = ${student}`
    }
    return yield* events.recordAll(club_id, facts)
  }))
}, Effect.orDie)
