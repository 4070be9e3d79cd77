import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { ClubId, OrganizationId } from "../../src/identity/ids/ClubId.ts"
import { StudentId } from "../../src/identity/ids/StudentId.ts"
import { UserId } from "../../src/identity/ids/UserId.ts"
import type { Role } from "../../src/identity/people/Role.ts"
import { BlockId } from "../../src/learning/content/Block.ts"
import { CourseId } from "../../src/learning/content/Course.ts"
import { LessonId } from "../../src/learning/content/Lesson.ts"
import { ModuleId } from "../../src/learning/content/Module.ts"
import { type ClubPurpose, MediaId, type MediaKind, type MediaStatus } from "../../src/learning/media/Media.ts"
import { RepositoryId } from "../../src/learning/repositories/Repository.ts"
import { RepositoryFileId } from "../../src/learning/repositories/RepositoryFile.ts"
import { EnrollmentId, type EnrollmentSource, type RevokeReason } from "../../src/membership/access/Enrollment.ts"
import { CohortId, DeliveryId, type DeliveryItem } from "../../src/membership/catalog/Delivery.ts"

// Each maker inserts one row and answers it. Values that must be unique are, unless the test gives them.

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

/** A club without members: only the row of `clubs`, without the other rows of a club from the API. */
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

/** Adds a new user, or the given one, to the club with a role. Answers the user. */
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

/** A student with a confirmed address. Without a hash they have no password. */
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

/** An empty delivery of the catalog. No student has it. */
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

/** Access of a student to a delivery, from now on and without end. It has no history, and a member gave it. */
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

/** Adds an item to a delivery, after all its items. */
export const makeItem = Effect.fn("makeItem")(function*(
  club: { readonly id: ClubId },
  delivery: { readonly id: DeliveryId },
  item: DeliveryItem
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into delivery_items (club_id, delivery_id, kind, item_id, position)
    select ${club.id}::uuid, ${delivery.id}::uuid, ${item.kind}, ${item.id}::uuid, coalesce(max(position), 0) + 1
    from delivery_items where club_id = ${club.id} and delivery_id = ${delivery.id}`
})

/** A course without modules, in no delivery. */
export const makeCourse = Effect.fn("makeCourse")(function*(
  club: { readonly id: ClubId },
  given: {
    readonly public_id?: string
    readonly title?: string
    readonly position?: number
    readonly deleted_at?: DateTime.Utc | null
  } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const { id, word } = yield* unique
  const course = { id: CourseId.make(id), public_id: word, title: "Violão do Zero", position: 1, ...given }
  yield* sql`
    insert into courses ${
    sql.insert({
      ...course,
      club_id: club.id,
      created_at: yield* now,
      deleted_at: dated(course.deleted_at) ?? null
    })
  }`
  return course
})

/** A module of a course, without lessons. */
export const makeModule = Effect.fn("makeModule")(function*(
  club: { readonly id: ClubId },
  course: { readonly id: CourseId },
  given: {
    readonly title?: string
    readonly position?: number
    readonly opens_after_days?: number | null
    readonly opens_at?: DateTime.Utc | null
    readonly deleted_at?: DateTime.Utc | null
  } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const { id } = yield* unique
  const module = { id: ModuleId.make(id), course_id: course.id, title: "Primeiros acordes", position: 1, ...given }
  yield* sql`
    insert into modules ${
    sql.insert({
      ...module,
      club_id: club.id,
      opens_at: dated(module.opens_at) ?? null,
      created_at: yield* now,
      deleted_at: dated(module.deleted_at) ?? null
    })
  }`
  return module
})

/** A lesson of a module, live from now on, without blocks. If `published_at` is null, it is a draft. */
export const makeLesson = Effect.fn("makeLesson")(function*(
  club: { readonly id: ClubId },
  module: { readonly id: ModuleId; readonly course_id: CourseId },
  given: {
    readonly public_id?: string
    readonly title?: string
    readonly position?: number
    readonly published_at?: DateTime.Utc | null
    readonly opens_after_days?: number | null
    readonly opens_at?: DateTime.Utc | null
    readonly deleted_at?: DateTime.Utc | null
  } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const { id, word } = yield* unique
  const created_at = yield* DateTime.now
  const lesson = {
    id: LessonId.make(id),
    course_id: module.course_id,
    module_id: module.id,
    public_id: word,
    title: "O primeiro acorde",
    position: 1,
    published_at: created_at,
    ...given
  }
  yield* sql`
    insert into lessons ${
    sql.insert({
      ...lesson,
      club_id: club.id,
      opens_at: dated(lesson.opens_at) ?? null,
      published_at: dated(lesson.published_at) ?? null,
      created_at: DateTime.toDateUtc(created_at),
      deleted_at: dated(lesson.deleted_at) ?? null
    })
  }`
  return lesson
})
export type MadeLesson = Effect.Success<ReturnType<typeof makeLesson>>

/** The content of a block of each kind, besides its title. */
type BlockContent =
  | { readonly kind: "text" | "assignment"; readonly body: string }
  | { readonly kind: "video" | "file"; readonly media_id: MediaId }
  | {
    readonly kind: "quiz"
    readonly pass_percent: number
    readonly questions: ReadonlyArray<{
      readonly id: string
      readonly text: string
      readonly options: ReadonlyArray<{ readonly id: string; readonly text: string; readonly correct: boolean }>
    }>
  }

/** A block of a lesson: text, or the kind of `content`. */
export const makeBlock = Effect.fn("makeBlock")(function*(
  club: { readonly id: ClubId },
  lesson: { readonly id: LessonId },
  content: BlockContent = { kind: "text", body: "Ponha o primeiro dedo na segunda corda." },
  given: {
    readonly title?: string | null
    readonly position?: number
    readonly deleted_at?: DateTime.Utc | null
  } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const { id } = yield* unique
  const block = { id: BlockId.make(id), lesson_id: lesson.id, title: null, position: 1, ...content, ...given }
  yield* sql`
    insert into blocks ${
    sql.insert({
      ...block,
      ...(content.kind === "quiz" ? { questions: JSON.stringify(content.questions) } : {}),
      club_id: club.id,
      created_at: yield* now,
      deleted_at: dated(block.deleted_at) ?? null
    })
  }`
  return block
})

/** A course with one live lesson, in its own delivery. `makeEnrollment(club, student, delivery)` gives access. */
export const makeLiveLesson = Effect.fn("makeLiveLesson")(function*(club: { readonly id: ClubId }) {
  const course = yield* makeCourse(club)
  const module = yield* makeModule(club, course)
  const lesson = yield* makeLesson(club, module)
  const delivery = yield* makeCatalogDelivery(club)
  yield* makeItem(club, delivery, { kind: "course", id: course.id })
  return { course, module, lesson, delivery }
})

/** A file of the club's library or a mentorship, as after an upload. With provider `youtube` it is a video there. */
export const makeMedia = Effect.fn("makeMedia")(function*(
  club: { readonly id: ClubId },
  given: {
    readonly kind?: MediaKind
    readonly title?: string
    readonly provider?: "storage" | "youtube"
    readonly purpose?: ClubPurpose
    readonly status?: MediaStatus
  } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const { id, word } = yield* unique
  const media = {
    id: MediaId.make(id),
    kind: "document" as const,
    title: "Acordes",
    provider: "storage" as const,
    purpose: "library" as const,
    status: "ready" as const,
    ...given
  }
  const place = media.provider === "storage"
    ? { storage_key: `test/${word}`, file_name: "acordes.pdf", mime: "application/pdf", size_bytes: 1024 }
    : { external_id: "dQw4w9WgXcQ" }
  yield* sql`
    insert into media ${
    sql.insert({
      ...media,
      ...place,
      club_id: club.id,
      visibility: "private",
      created_at: yield* now
    })
  }`
  return media
})

/** A repository, live from now on, without files, in no delivery. If `published_at` is null, it is a draft. */
export const makeRepository = Effect.fn("makeRepository")(function*(
  club: { readonly id: ClubId },
  given: {
    readonly public_id?: string
    readonly title?: string
    readonly instructor_name?: string | null
    readonly cover_url?: string | null
    readonly published_at?: DateTime.Utc | null
  } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const { id, word } = yield* unique
  const created_at = yield* DateTime.now
  const repository = {
    id: RepositoryId.make(id),
    public_id: word,
    title: "Partituras",
    instructor_name: null,
    cover_url: null,
    published_at: created_at,
    ...given
  }
  yield* sql`
    insert into repositories ${
    sql.insert({
      ...repository,
      club_id: club.id,
      published_at: dated(repository.published_at) ?? null,
      created_at: DateTime.toDateUtc(created_at)
    })
  }`
  return repository
})

/** A file of a repository. */
export const makeRepositoryFile = Effect.fn("makeRepositoryFile")(function*(
  club: { readonly id: ClubId },
  repository: { readonly id: RepositoryId },
  media: { readonly id: MediaId },
  given: { readonly title?: string; readonly position?: number } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const { id } = yield* unique
  const file = { id: RepositoryFileId.make(id), title: "Acordes", position: 1, ...given }
  yield* sql`
    insert into repository_files ${
    sql.insert({
      ...file,
      club_id: club.id,
      repository_id: repository.id,
      media_id: media.id,
      created_at: yield* now
    })
  }`
  return file
})
