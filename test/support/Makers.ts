import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { EnrollmentId, type EnrollmentSource, type RevokeReason } from "../../src/access/Enrollment.ts"
import { UserId } from "../../src/auth/User.ts"
import { CohortId, DeliveryId } from "../../src/catalog/Delivery.ts"
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

const dated = (at: DateTime.Utc | null | undefined) => at && DateTime.toDateUtc(at)

/** A delivery of the catalog, which nobody has and with nothing in it. */
export const makeCatalogDelivery = Effect.fn("makeCatalogDelivery")(function*(
  club: { readonly id: ClubId },
  given: {
    readonly name?: string
    readonly free?: boolean
    readonly default_access_days?: number | null
    readonly archived_at?: DateTime.Utc | null
  } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const { id } = yield* unique
  const delivery = {
    id: DeliveryId.make(id),
    name: "Violão do Zero",
    free: false,
    default_access_days: null,
    ...given
  }
  yield* sql`
    insert into deliveries ${
    sql.insert({
      ...delivery,
      club_id: club.id,
      created_at: yield* now,
      archived_at: dated(delivery.archived_at) ?? null
    })
  }`
  return delivery
})
export type MadeCatalogDelivery = Effect.Success<ReturnType<typeof makeCatalogDelivery>>

/** A cohort of a delivery, without start and end. */
export const makeCohort = Effect.fn("makeCohort")(function*(
  club: { readonly id: ClubId },
  delivery: { readonly id: DeliveryId },
  given: {
    readonly name?: string
    readonly starts_at?: DateTime.Utc | null
    readonly ends_at?: DateTime.Utc | null
  } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const { id } = yield* unique
  const cohort = { id: CohortId.make(id), name: "Turma de março", starts_at: null, ends_at: null, ...given }
  yield* sql`
    insert into cohorts ${
    sql.insert({
      ...cohort,
      club_id: club.id,
      delivery_id: delivery.id,
      starts_at: dated(cohort.starts_at) ?? null,
      ends_at: dated(cohort.ends_at) ?? null,
      created_at: yield* now
    })
  }`
  return cohort
})
export type MadeCohort = Effect.Success<ReturnType<typeof makeCohort>>

/** Access of a student to a delivery from now on, for ever, given by a member; without history. */
export const makeEnrollment = Effect.fn("makeEnrollment")(function*(
  club: { readonly id: ClubId },
  student: { readonly id: StudentId },
  delivery: { readonly id: DeliveryId },
  given: {
    readonly cohort_id?: CohortId | null
    readonly source?: EnrollmentSource
    readonly purchase_id?: string
    readonly subscription_id?: string
    readonly starts_at?: DateTime.Utc
    readonly expires_at?: DateTime.Utc | null
    readonly revoked_at?: DateTime.Utc | null
    readonly revoke_reason?: RevokeReason | null
  } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const { id } = yield* unique
  const created_at = yield* DateTime.now
  const enrollment = {
    id: EnrollmentId.make(id),
    student_id: student.id,
    delivery_id: delivery.id,
    cohort_id: null,
    source: "grant" as const,
    starts_at: created_at,
    expires_at: null,
    revoked_at: null,
    revoke_reason: null,
    ...given
  }
  yield* sql`
    insert into enrollments ${
    sql.insert({
      ...enrollment,
      club_id: club.id,
      starts_at: dated(enrollment.starts_at),
      expires_at: dated(enrollment.expires_at) ?? null,
      revoked_at: dated(enrollment.revoked_at) ?? null,
      created_at: DateTime.toDateUtc(created_at)
    })
  }`
  return enrollment
})
export type MadeEnrollment = Effect.Success<ReturnType<typeof makeEnrollment>>
