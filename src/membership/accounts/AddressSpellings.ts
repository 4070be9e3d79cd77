import { Duration, Effect, Layer, Option, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { Events } from "../../events/Events.ts"
import { StudentErasers } from "../../identity/erasure/StudentErasers.ts"
import { ClubId, OrganizationId } from "../../identity/ids/ClubId.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { isSurelySame, plainAddress } from "../../platform/http/Spelling.ts"
import { repeatedly } from "../../platform/jobs/Repeatedly.ts"
import { Uuid } from "../../platform/schema/brandedId.ts"
import { faultsDie, first, rows } from "../../platform/sql/Rows.ts"

/** An account with an address that is not in ASCII. Without a club it is an administrator's. */
const OddAccount = Schema.Struct({
  club_id: Schema.NullOr(ClubId),
  organization_id: Schema.NullOr(OrganizationId),
  id: Uuid,
  email: Schema.String
})
type OddAccount = typeof OddAccount.Type

const decodeAccounts = rows(OddAccount)
const decodeId = first(Schema.Struct({ id: Schema.String }))

/** Rows of one statement. */
const batch = 500

const beforeAll = "00000000-0000-0000-0000-000000000000"

// The condition is the same as in the indexes `users_odd_email_idx` and `students_odd_email_idx`. An address in ASCII
// has one spelling, even if it would be refused today.
const batches = Effect.map(SqlClient.SqlClient, (sql) => {
  const administrators = (after: OddAccount | undefined) =>
    sql`
      select null::uuid as club_id, null::uuid as organization_id, id, email from users
      where octet_length(email) > char_length(email) and id > ${after?.id ?? beforeAll}::uuid
      order by id limit ${batch}`

  const students = (after: OddAccount | undefined) =>
    sql`
      select st.club_id, c.organization_id, st.id, st.email from students st join clubs c on c.id = st.club_id
      where octet_length(st.email) > char_length(st.email)
        and (st.club_id, st.id) > (${after?.club_id ?? beforeAll}::uuid, ${after?.id ?? beforeAll}::uuid)
      order by st.club_id, st.id limit ${batch}`

  return [administrators, students].map((read) =>
    Stream.paginate<OddAccount | undefined, OddAccount>(
      undefined,
      (after) =>
        Effect.map(read(after).pipe(decodeAccounts), (found) =>
          [found, Option.fromUndefinedOr(found.length < batch ? undefined : found.at(-1))] as const)
    )
  )
})

/** Accounts in another spelling than addresses have now, with that of now: undefined if the address would be refused. */
const oldSpellings = Effect.map(
  batches,
  ([administrators = Stream.empty, students = Stream.empty]) =>
    Stream.concat(administrators, students).pipe(
      Stream.map((account) => ({ account, plain: plainAddress(account.email) })),
      Stream.filter(({ account, plain }) => plain !== account.email)
    )
)

/** An account that cannot get the spelling of today. */
export interface OldSpelling {
  /** The public id of a student's club; null for an administrator. */
  readonly organization_id: OrganizationId | null
  readonly id: string
  /** The account that is the same person by its address; null if there is no such account. */
  readonly same_as: string | null
}

/**
 * The accounts that need a person's decision:
 * - accounts that are one person with another account by their address
 * - accounts whose address would be refused today
 * - accounts whose address in today's spelling may be another mailbox
 */
export const findOldSpellings = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const found: Array<OldSpelling> = []
  yield* Stream.runForEach(yield* oldSpellings, ({ account, plain }) =>
    Effect.gen(function*() {
      const { club_id, id, organization_id } = account
      const same = plain === undefined ? Option.none() : yield* (club_id === null
        ? sql`select id from users where email = ${plain}`
        : sql`select id from students where club_id = ${club_id} and email = ${plain}`).pipe(decodeId)
      if (Option.isNone(same) && plain !== undefined && isSurelySame(account.email)) return
      found.push({ organization_id, id, same_as: Option.getOrNull(Option.map(same, (other) => other.id)) })
    }))
  return found
})

/**
 * Gives accounts from before the spelling that addresses have now. One whose address has another account already stays as it
 * is, and so does one whose address would be refused or may be another mailbox. Nothing is merged.
 */
export const respellAddresses = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const events = yield* Events
  const erasers = yield* StudentErasers

  const respellStudent = Effect.fnUntraced(function*(club_id: ClubId, { email, id }: OddAccount, plain: string) {
    const student_id = StudentId.make(id)
    const person = { club_id, student_id, email }
    yield* Effect.forEach(erasers, ({ lock }) => lock?.(person) ?? Effect.void, { discard: true })
    const written = yield* sql`
      update students set email = ${plain} where club_id = ${club_id} and id = ${id} and email = ${email} returning id`
    if (written.length === 0) return
    yield* Effect.forEach(erasers, ({ addressRespelled }) => addressRespelled?.(person) ?? Effect.void, {
      discard: true
    })
    yield* events.record(club_id, { type: "student.updated", student_id, changed: ["email"] })
  })

  const respell = (account: OddAccount, plain: string) =>
    sql.withTransaction(account.club_id === null
      ? sql`update users set email = ${plain} where id = ${account.id} and email = ${account.email}`
      : respellStudent(account.club_id, account, plain)).pipe(
        Effect.as(true),
        Effect.catchReason("SqlError", "UniqueViolation", () => Effect.succeed(false)),
        faultsDie
      )

  const left = yield* Stream.runFold(
    Stream.mapEffect(
      yield* oldSpellings,
      ({ account, plain }) =>
        plain === undefined || !isSurelySame(account.email) ? Effect.succeed(false) : respell(account, plain)
    ),
    () => 0,
    (count, done) => done ? count : count + 1
  )
  if (left > 0) {
    yield* Effect.logWarning(
      "Accounts have an address that cannot get today's spelling: see npx turma doctor",
      { accounts: left }
    )
  }
}).pipe(Effect.withSpan("AddressSpellings.respell"))

/** The time between two rounds. A process of the former version may write old spellings beside this one. */
const every = Duration.hours(1)

/** Respells addresses at the start and every hour. Any number may run. */
export const AddressSpellingsLayer = Layer
  .effectDiscard(repeatedly(respellAddresses, { every, onFailure: "A round of respelling addresses failed" }))
