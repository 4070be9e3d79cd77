import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Forgotten, StudentEraser } from "../../identity/erasure/StudentErasers.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { rows } from "../../platform/sql/Rows.ts"

const decodeSignUps = rows(Schema.Struct({ id: Schema.String }))

/** How sessions, links, sign-ups with their mails and what was asked to be mailed are forgotten. */
export const authEraser: Effect.Effect<StudentEraser, never, Mailer | SqlClient.SqlClient> = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const mailer = yield* Mailer

  // Sign-ups name the public id of the club.
  const here = ({ club_id, email }: Forgotten) =>
    sql`
      email = ${email} and organization_id = (select organization_id from clubs where id = ${club_id})`

  const linksOf = (person: Forgotten) => sql`select id from sign_ups where ${here(person)}`

  // In the order in which a request is worked off and a link is used: both end with the student.
  const hold = Effect.fn("AuthEraser.hold")(function*(person: Forgotten) {
    yield* sql`select 1 from credential_requests where ${here(person)} order by id for update`
    yield* sql`
      select 1 from one_time_tokens where sign_up_id in (${linksOf(person)}) order by token_hash for update`
    yield* sql`select 1 from sign_ups where ${here(person)} order by id for update`
  }, Effect.orDie)

  /**
   * What is found by the address alone: requests and sign-ups, with their links and mails. What came in since `hold` and
   * somebody is working on is passed over: they wait for the student, so waiting for them would never end.
   */
  const forgetEntered = Effect.fnUntraced(function*(person: Forgotten) {
    const requests = yield* sql`
      delete from credential_requests where id in (
        select id from credential_requests where ${here(person)} order by id for update skip locked
      ) returning 1`
    const signUps = yield* sql`
      delete from sign_ups where id in (
        select id from sign_ups where ${here(person)} order by id for update skip locked
      ) returning id`.pipe(decodeSignUps)
    const mails = yield* mailer.takeBack(signUps.map(({ id }) => id))
    return { credential_requests: requests.length, sign_ups: signUps.length, mails }
  })

  const erase = Effect.fn("AuthEraser.erase")(function*(person: Forgotten) {
    const { club_id, student_id } = person
    const own = sql`club_id = ${club_id} and student_id = ${student_id}`
    const sessions = yield* sql`delete from student_sessions where ${own} returning 1`
    const links = yield* sql`delete from one_time_tokens where ${own} returning 1`
    const entered = yield* forgetEntered(person)
    return { sessions: sessions.length, one_time_tokens: links.length, ...entered }
  }, Effect.orDie)

  const moved = Effect.fn("AuthEraser.moved")(forgetEntered, Effect.asVoid, Effect.orDie)

  return { hold, moved, erase }
})
