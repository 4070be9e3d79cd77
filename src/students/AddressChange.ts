import { Cause, Effect, Schema } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import type { ClubId } from "../clubs/Club.ts"
import type { StudentId } from "./Student.ts"
import { type Forgotten, StudentErasers } from "./StudentErasers.ts"

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

/** For whoever gives a student another address: what features find by the address alone is not lost sight of. */
export const makeAddressChange = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
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

  return { hold, moved }
})
