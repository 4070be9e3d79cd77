import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import { creates } from "../../identity/audit/NewAuditEntry.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { NotFound, type ValidationFailed } from "../../platform/http/errors.ts"
import { inOrder, isOrderOf, OrderInvalid } from "../../platform/http/Order.ts"
import { afterCursor, type InvalidCursor, type PageAnswer, pageOf, type PageRequest } from "../../platform/http/Page.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { faultsDie, firstOr, inTransaction, rows } from "../../platform/sql/Rows.ts"
import { Attachments, type MediaUnknown } from "../media/Attachments.ts"
import type { MediaId } from "../media/Media.ts"
import { Course, CourseId, courseLimit, CourseLimitReached, type CoursePatch, type CreateCourse } from "./Course.ts"
import { makeLessonRemoval } from "./LessonRemoval.ts"
import { liveLessonsOf } from "./LiveLessons.ts"
import { newPublicId, type PublicIdTaken } from "./PublicId.ts"
import { orPublicIdTaken } from "./PublicIdWrite.ts"
import { makeTextImages } from "./TextImages.ts"

const decodeCourses = rows(Course)
const decodeCourse = firstOr(Course, () => new NotFound())
const decodeCreated = firstOr(Course, () => new CourseLimitReached())
const decodeIds = rows(Schema.Struct({ id: CourseId }))

const now = Effect.map(DateTime.now, DateTime.toDateUtc)

/** The courses of clubs, in an order. `NotFound`: this club has no such course, or it is deleted. */
export class Courses extends Context.Service<Courses, {
  /** In their order. */
  list(club_id: ClubId, page: PageRequest): Effect.Effect<PageAnswer<Course>, InvalidCursor>
  get(club_id: ClubId, id: CourseId): Effect.Effect<Course, NotFound>
  /** Comes after all other courses. `ValidationFailed`: its description names too many images. */
  create(
    club_id: ClubId,
    course: typeof CreateCourse.Type
  ): Effect.Effect<Course, CourseLimitReached | MediaUnknown | PublicIdTaken | ValidationFailed>
  /** `ValidationFailed`: its description names too many images. */
  patch(
    club_id: ClubId,
    id: CourseId,
    patch: typeof CoursePatch.Type
  ): Effect.Effect<Course, MediaUnknown | NotFound | PublicIdTaken | ValidationFailed>
  /** With its modules, their lessons and the blocks of these. The work of students there is kept. */
  remove(club_id: ClubId, id: CourseId): Effect.Effect<void, NotFound>
  /** Takes every course, in their new order. */
  order(club_id: ClubId, ids: ReadonlyArray<CourseId>): Effect.Effect<ReadonlyArray<Course>, OrderInvalid>
}>()("turma/learning/content/Courses") {
  static readonly layer = Layer.effect(
    Courses,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const attachments = yield* Attachments
      const images = yield* makeTextImages
      const removeLessons = yield* makeLessonRemoval

      const columns = (at: Date) =>
        sql`
          courses.id, courses.public_id, courses.title, courses.subtitle, courses.description,
          courses.instructor_name, courses.cover_media_id, courses.listed, courses.position, courses.created_at,
          ${liveLessonsOf(sql, sql`courses`, at)}`
      const ofClub = (club_id: ClubId) => sql`club_id = ${club_id} and deleted_at is null`

      /** Creating and ordering lock the club's courses, so that two courses never get one position. */
      const withCoursesLocked = <A, E>(club_id: ClubId, change: Effect.Effect<A, E>) =>
        sql`select pg_advisory_xact_lock(hashtextextended(${`courses:${club_id}`}, 0))`.pipe(
          Effect.andThen(change),
          sql.withTransaction
        )

      /** In the transaction that writes it, so that the image is not deleted before that. */
      const checkCover = (club_id: ClubId, cover: MediaId | null | undefined) =>
        attachments.check(club_id, { student_id: null, purpose: "library", ids: cover ? [cover] : [], images: true })

      const list = Effect.fn("Courses.list")(function*(club_id: ClubId, { cursor, limit }: PageRequest) {
        const after = yield* afterCursor(cursor)
        // A deleted course keeps its position, so a page can begin after it.
        const isAfter = Option.match(after, {
          onNone: () => sql`true`,
          onSome: (id) =>
            sql`(position, id) > (select position, id from courses where club_id = ${club_id} and id = ${id})`
        })
        const rows = yield* sql`
          select ${columns(yield* now)} from courses where ${ofClub(club_id)} and ${isAfter}
          order by position, id limit ${limit + 1}`.pipe(decodeCourses)
        return pageOf(rows, limit)
      })

      const get = Effect.fn("Courses.get")(function*(club_id: ClubId, id: CourseId) {
        return yield* sql`select ${columns(yield* now)} from courses where ${ofClub(club_id)} and id = ${id}`
          .pipe(decodeCourse)
      })

      const create = Effect.fn("Courses.create")(
        function*(club_id: ClubId, asked: typeof CreateCourse.Type) {
          const { cover_media_id = null, description = null, instructor_name = null, listed = false } = asked
          yield* checkCover(club_id, cover_media_id)
          yield* images.check(club_id, "description", description)
          const id = yield* Effect.orDie(random.uuidV7())
          yield* creates(id)
          const key = asked.public_id ?? (yield* newPublicId(random))
          const at = yield* now
          const course = yield* audited((audit) =>
            sql`
              ${audit.with}
              insert into courses (
                club_id, id, public_id, title, subtitle, description, instructor_name, cover_media_id, listed,
                created_at, position
              )
              select ${club_id}::uuid, ${id}::uuid, ${key}, ${asked.title}, ${asked.subtitle ?? null}, ${description},
                ${instructor_name}, ${cover_media_id}::uuid, ${listed}::boolean, ${at}::timestamptz,
                coalesce(max(position), 0) + 1
              from courses where ${ofClub(club_id)} having count(*) < ${courseLimit}
              returning ${columns(at)}`
          ).pipe(orPublicIdTaken, decodeCreated)
          if (description !== null) yield* images.keepOfCourse(club_id, course.id, description)
          return course
        },
        (create, club_id) => withCoursesLocked(club_id, create),
        faultsDie
      )

      const patch = Effect.fn("Courses.patch")(
        function*(club_id: ClubId, id: CourseId, patch: typeof CoursePatch.Type) {
          yield* checkCover(club_id, patch.cover_media_id)
          yield* images.check(club_id, "description", patch.description)
          const changes = Object.keys(patch).length === 0 ? sql`title = title` : sql`${sql.update(patch)}`
          const at = yield* now
          const course = yield* audited((audit) =>
            sql`
              ${audit.with}
              update courses set ${changes} where ${ofClub(club_id)} and id = ${id} returning ${columns(at)}`
          ).pipe(orPublicIdTaken, decodeCourse)
          if (patch.description !== undefined) yield* images.keepOfCourse(club_id, id, patch.description ?? "")
          return course
        },
        inTransaction(sql)
      )

      const remove = Effect.fn("Courses.remove")(
        function*(club_id: ClubId, id: CourseId) {
          const at = yield* now
          const condition = sql`${ofClub(club_id)} and id = ${id}`
          const gone = yield* audited((audit) =>
            sql`
              ${audit.with}
              update courses set deleted_at = ${at}, cover_media_id = null where ${condition} returning 1`
          )
          if (gone.length === 0) return yield* new NotFound()
          yield* sql`delete from course_images where club_id = ${club_id} and course_id = ${id}`
          yield* sql`update modules set deleted_at = ${at} where ${ofClub(club_id)} and course_id = ${id}`
          yield* removeLessons(
            club_id,
            at,
            sql`module_id in (select id from modules where club_id = ${club_id} and course_id = ${id})`
          )
        },
        sql.withTransaction,
        faultsDie
      )

      const order = Effect.fn("Courses.order")(
        function*(club_id: ClubId, ids: ReadonlyArray<CourseId>) {
          const listed = yield* sql`select id from courses where ${ofClub(club_id)}`.pipe(decodeIds)
          if (!isOrderOf(ids, listed.map(({ id }) => id))) return yield* new OrderInvalid()
          const at = yield* now
          const rows = yield* audited((audit) =>
            sql`
              ${audit.with}
              update courses set position = asked.position
              from unnest(${uuids(ids)}) with ordinality as asked (id, position)
              where courses.club_id = ${club_id} and courses.id = asked.id
              returning ${columns(at)}`
          ).pipe(decodeCourses)
          return inOrder(rows)
        },
        (order, club_id) => withCoursesLocked(club_id, order),
        faultsDie
      )

      return Courses.of({ list, get, create, patch, remove, order })
    })
  ).pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}
