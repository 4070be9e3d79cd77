import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type ErasureSubject, StudentErasers } from "../../identity/erasure/StudentErasers.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { MemberIdentity } from "../../identity/people/Identity.ts"
import { SessionStore } from "../../identity/sessions/SessionStore.ts"
import { Links } from "../../identity/tokens/Links.ts"
import { OneTimeTokens } from "../../identity/tokens/OneTimeTokens.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { MailCaps } from "../caps/MailCaps.ts"
import { Administrators } from "../clubs/Administrators.ts"
import { addressChanged as addressChangedMail } from "./AddressChangedMail.ts"
import { ConcurrentAddressChange } from "./StudentConflicts.ts"

const decodeAddresses = rows(Schema.Struct({ email: Schema.String }))

/** A student and the change of their address. */
interface ChangedStudent {
  readonly student_id: StudentId
  readonly name: string
  readonly from: string
  readonly to: string
}

/**
 * The steps of a change of a student's address:
 * - features update the rows that only the address identifies
 * - sessions and links end
 * - both addresses get a mail
 */
export const makeAddressChange = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const tokens = yield* OneTimeTokens
  const sessions = yield* SessionStore
  const administrators = yield* Administrators
  const links = yield* Links
  const mailer = yield* Mailer
  const caps = yield* MailCaps
  const erasers = (yield* StudentErasers).filter(({ addressChanged }) => addressChanged !== undefined)

  /**
   * Call it before locking the student. Gives the person with their current address; undefined if the student does not
   * exist or the address stays the same. `update` checks under the lock that the address is still current.
   */
  const lock = Effect.fnUntraced(function*(club_id: ClubId, student_id: StudentId, email: string) {
    const [found] = yield* sql`select email from students where club_id = ${club_id} and id = ${student_id}`
      .pipe(decodeAddresses)
    if (found === undefined || found.email === email) return undefined
    const person: ErasureSubject = { club_id, student_id, email: found.email }
    yield* Effect.forEach(erasers, ({ lock }) => lock?.(person) ?? Effect.void, { discard: true })
    return person
  })

  /** Call it with the student locked. The student has this address. */
  const update = Effect.fnUntraced(function*(person: ErasureSubject | undefined, from: string) {
    if (person?.email !== from) return yield* new ConcurrentAddressChange()
    yield* Effect.forEach(erasers, ({ addressChanged }) => addressChanged?.(person) ?? Effect.void, { discard: true })
  })

  /**
   * Mails both addresses. The contact is the owner, who answers for the staff, not the member who changed the address.
   */
  const mail = Effect.fnUntraced(function*({ club }: MemberIdentity, { from, name, student_id, to }: ChangedStudent) {
    const data = {
      name,
      club_name: club.name,
      changed_at: yield* DateTime.now,
      time_zone: club.time_zone,
      contact: yield* administrators.owner(club.id),
      sign_in_link: links.signIn({ kind: "student", organization_id: club.organization_id })
    }
    yield* caps.take(club.id, "address_changed", [from, to])
    for (const [recipient, is_new] of [[from, false], [to, true]] as const) {
      yield* mailer.enqueue(addressChangedMail(club.locale, { ...data, recipient, is_new }), { about: student_id })
    }
  })

  /**
   * Call it after writing the address. Ends all access that comes from the old mailbox or from a taken-over account.
   */
  const finish = Effect.fnUntraced(function*(member: MemberIdentity, student: ChangedStudent) {
    const holder = { kind: "student", club_id: member.club.id, student_id: student.student_id } as const
    yield* tokens.revoke(holder)
    yield* sessions.endAll(holder)
    yield* mail(member, student)
  })

  return { lock, update, finish }
})
