import { Cause, DateTime, Effect, Schema } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { type Forgotten, StudentErasers } from "../../identity/erasure/StudentErasers.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { MemberIdentity } from "../../identity/people/Identity.ts"
import { SessionStore } from "../../identity/sessions/SessionStore.ts"
import { Links } from "../../identity/tokens/Links.ts"
import { OneTimeTokens } from "../../identity/tokens/OneTimeTokens.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { MailCaps } from "../caps/MailCaps.ts"
import { Administrators } from "../clubs/Administrators.ts"
import { addressChanged } from "./AddressChangedMail.ts"

/** The address was changed between looking and locking. */
export class AddressChanged extends Schema.TaggedError<AddressChanged>()("AddressChanged", {}) {}

const faultsOf = ({ reasons }: Cause.Cause<unknown>): ReadonlyArray<unknown> =>
  reasons.map((reason) =>
    Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
  )

/**
 * Whether it failed since somebody else held something the other way round. Most faults of the database are defects by
 * then, and some of these are the reason of a fault alone.
 */
export const isDeadlock = (cause: Cause.Cause<unknown>): boolean =>
  faultsOf(cause).some((fault) => (SqlError.isSqlError(fault) ? fault.reason : fault) instanceof SqlError.DeadlockError)

/** Whether it failed since the address was changed. */
export const isAddressChanged = (cause: Cause.Cause<unknown>): boolean =>
  faultsOf(cause).some((fault) => fault instanceof AddressChanged)

const decodeAddresses = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ email: Schema.String })))

/** A student whose address was changed just now. */
interface Moved {
  readonly student_id: StudentId
  readonly name: string
  readonly from: string
  readonly to: string
}

/**
 * For whoever gives a student another address: what features find by the address alone is not lost sight of, nobody stays
 * in by what was let in before, and both addresses are told.
 */
export const makeAddressChange = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const tokens = yield* OneTimeTokens
  const sessions = yield* SessionStore
  const administrators = yield* Administrators
  const links = yield* Links
  const mailer = yield* Mailer
  const caps = yield* MailCaps
  const erasers = (yield* StudentErasers).filter(({ moved }) => moved !== undefined)

  /**
   * Before the student is locked. Who they are so far; undefined where there is nobody, or no change. Whether it is still
   * true is told by the lock.
   */
  const hold = Effect.fnUntraced(function*(club_id: ClubId, student_id: StudentId, email: string) {
    const rows = yield* sql`select email from students where club_id = ${club_id} and id = ${student_id}`
    const [found] = yield* decodeAddresses(rows)
    if (found === undefined || found.email === email) return undefined
    const person: Forgotten = { club_id, student_id, email: found.email }
    yield* Effect.forEach(erasers, ({ hold }) => hold?.(person) ?? Effect.void, { discard: true })
    return person
  }, Effect.orDie)

  /** With the student locked, who had this address. */
  const moved = Effect.fnUntraced(function*(person: Forgotten | undefined, from: string) {
    if (person?.email !== from) return yield* new AddressChanged()
    yield* Effect.forEach(erasers, ({ moved }) => moved?.(person) ?? Effect.void, { discard: true })
  })

  /** Whoever runs the club answers for its staff, so it is not the one who made the change who is to be written to. */
  const tell = Effect.fnUntraced(function*({ club }: MemberIdentity, { from, name, student_id, to }: Moved) {
    const told = {
      name,
      club_name: club.name,
      changed_at: yield* DateTime.now,
      time_zone: club.time_zone,
      contact: yield* administrators.owner(club.id),
      sign_in_link: links.signIn({ kind: "student", organization_id: club.organization_id })
    }
    yield* caps.take(club.id, "address_changed", [from, to])
    for (const [recipient, is_new] of [[from, false], [to, true]] as const) {
      yield* mailer.enqueue(addressChanged(club.locale, { ...told, recipient, is_new }), { about: student_id })
    }
  })

  /** With the address written: whoever has the old mailbox, or took the account over, is out. */
  const settle = Effect.fnUntraced(function*(member: MemberIdentity, moved: Moved) {
    const holder = { kind: "student", club_id: member.club.id, student_id: moved.student_id } as const
    yield* tokens.revoke(holder)
    yield* sessions.endAll(holder)
    yield* tell(member, moved)
  })

  return { hold, moved, settle }
})
