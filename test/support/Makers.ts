import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { UserId } from "../../src/auth/User.ts"
import { ClubId, OrganizationId, type Role } from "../../src/clubs/Club.ts"
import { StudentId } from "../../src/students/Student.ts"

// Each maker inserts one row and answers it. Whatever must be unique is, unless the test says what it should be.

const unique = Effect.gen(function*() {
  const random = yield* SecureRandom.SecureRandom
  const uuid = yield* random.uuidV4()
  return { id: yield* random.uuidV7(), uuid, word: uuid.replaceAll("-", "") }
}).pipe(Effect.provide(SecureRandom.layerWebCrypto))

const now = Effect.map(DateTime.now, DateTime.toDateUtc)

/** A confirmed administrator account. No password has this hash. */
export const makeUser = Effect.fn("makeUser")(function*(
  given: { readonly name?: string; readonly email?: string; readonly password_hash?: string } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const { id, word } = yield* unique
  const user = { id: UserId.make(id), email: `${word}@user.example`, name: "Ana Souza", ...given }
  const created_at = yield* now
  yield* sql`
    insert into users ${sql.insert({ password_hash: "unusable", ...user, verified_at: created_at, created_at })}`
  return user
})
export type MadeUser = Effect.Success<ReturnType<typeof makeUser>>

/** A club without members: the row of `clubs`, and nothing that creating a club through the API adds to it. */
export const makeClub = Effect.fn("makeClub")(function*(
  given: {
    readonly name?: string
    readonly slug?: string
    readonly time_zone?: string
    readonly locale?: "pt-BR" | "en"
    readonly sign_up_open?: boolean
  } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const { id, uuid, word } = yield* unique
  const club = {
    id: ClubId.make(id),
    organization_id: OrganizationId.make(uuid),
    name: "Violão Fácil",
    slug: `club-${word}`,
    time_zone: "UTC",
    locale: "pt-BR" as const,
    sign_up_open: true,
    ...given
  }
  yield* sql`insert into clubs ${sql.insert({ ...club, created_at: yield* now })}`
  return club
})
export type MadeClub = Effect.Success<ReturnType<typeof makeClub>>

/** A user of their own, or the given one, with a role in the club. Answers the user. */
export const makeMember = Effect.fn("makeMember")(function*(
  club: { readonly id: ClubId },
  role: Role,
  given?: MadeUser
) {
  const sql = yield* SqlClient.SqlClient
  const user = given ?? (yield* makeUser())
  yield* sql`
    insert into members ${sql.insert({ club_id: club.id, user_id: user.id, role, created_at: yield* now })}`
  return user
})

/** A student with a confirmed address and, unless a hash is given, no password. */
export const makeStudent = Effect.fn("makeStudent")(function*(
  club: { readonly id: ClubId },
  given: { readonly name?: string; readonly email?: string; readonly password_hash?: string } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const { id, word } = yield* unique
  const student = { id: StudentId.make(id), email: `${word}@student.example`, name: "Bia Lima", ...given }
  const created_at = yield* now
  yield* sql`
    insert into students ${sql.insert({ ...student, club_id: club.id, verified_at: created_at, created_at })}`
  return student
})
export type MadeStudent = Effect.Success<ReturnType<typeof makeStudent>>
