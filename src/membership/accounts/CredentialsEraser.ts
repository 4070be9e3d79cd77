import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ErasureSubject, StudentEraser } from "../../identity/erasure/StudentErasers.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { rows } from "../../platform/sql/Rows.ts"

const decodeSignUps = rows(Schema.Struct({ id: Schema.String }))

/** Erases sessions, links, sign-ups with their mails, and credential requests. */
export const credentialsEraser = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const mailer = yield* Mailer

  // Sign-ups and requests have the public id of the club.
  const ofAddress = ({ club_id, email }: ErasureSubject) =>
    sql`
      email = ${email} and organization_id = (select organization_id from clubs where id = ${club_id})`

  const signUpIds = (person: ErasureSubject) => sql`select id from sign_ups where ${ofAddress(person)}`

  // Locks in the same order as the request worker and a link that is used. Both lock the student last.
  const lock = Effect.fn("CredentialsEraser.lock")(function*(person: ErasureSubject) {
    yield* sql`select 1 from credential_requests where ${ofAddress(person)} order by id for update`
    yield* sql`
      select 1 from one_time_tokens where sign_up_id in (${signUpIds(person)}) order by token_hash for update`
    yield* sql`select 1 from sign_ups where ${ofAddress(person)} order by id for update`
  }, Effect.orDie)

  /**
   * Deletes the rows that only the address identifies: requests and sign-ups, with their links and mails. Skips rows
   * that arrived after `lock` and are being processed. Their transactions wait for the student, so waiting for them
   * would deadlock.
   */
  const deleteByAddress = Effect.fnUntraced(function*(person: ErasureSubject) {
    const requests = yield* sql`
      delete from credential_requests where id in (
        select id from credential_requests where ${ofAddress(person)} order by id for update skip locked
      ) returning 1`
    const signUps = yield* sql`
      delete from sign_ups where id in (
        select id from sign_ups where ${ofAddress(person)} order by id for update skip locked
      ) returning id`.pipe(decodeSignUps)
    const mails = yield* mailer.takeBack(signUps.map(({ id }) => id))
    return { credential_requests: requests.length, sign_ups: signUps.length, mails }
  })

  const erase = Effect.fn("CredentialsEraser.erase")(function*(person: ErasureSubject) {
    const { club_id, student_id } = person
    const own = sql`club_id = ${club_id} and student_id = ${student_id}`
    const sessions = yield* sql`delete from student_sessions where ${own} returning 1`
    const links = yield* sql`delete from one_time_tokens where ${own} returning 1`
    const byAddress = yield* deleteByAddress(person)
    return { sessions: sessions.length, one_time_tokens: links.length, ...byAddress }
  }, Effect.orDie)

  const addressChanged = Effect.fn("CredentialsEraser.addressChanged")(deleteByAddress, Effect.asVoid, Effect.orDie)

  return { lock, addressChanged, erase } satisfies StudentEraser
})
