import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import { creates } from "../../identity/audit/NewAuditEntry.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { inOrder, isOrderOf, OrderInvalid } from "../../platform/http/Order.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { faultsDie, firstOr, inTransaction, rows } from "../../platform/sql/Rows.ts"
import { CourseId } from "./Course.ts"
import { makeCourseLosses } from "./CourseLosses.ts"
import {
  courseLessonLimit,
  type CreateLesson,
  Lesson,
  LessonId,
  lessonLimit,
  LessonLimitReached,
  type LessonPatch,
  ModuleUnknown
} from "./Lesson.ts"
import { LessonChanges } from "./LessonChanges.ts"
import { makeLessonRemoval } from "./LessonRemoval.ts"
import type { ModuleId } from "./Module.ts"
import { changesOpening, openAtOnce, type Opening, openingAfter, type OpeningAmbiguous, openingRow } from "./Opening.ts"
import { newPublicId, type PublicIdTaken } from "./PublicId.ts"
import { orPublicIdTaken } from "./PublicIdWrite.ts"

const decodeLessons = rows(Lesson)
const decodeLesson = firstOr(Lesson, () => new NotFound())
const decodeCreated = firstOr(Lesson, () => new LessonLimitReached())
const decodeIds = rows(Schema.Struct({ id: LessonId }))
const decodeModule = firstOr(Schema.Struct({ course_id: CourseId }), () => new NotFound())

const now = Effect.map(DateTime.now, DateTime.toDateUtc)

const isLive = ({ published_at }: Lesson, at: DateTime.Utc) =>
  published_at !== null && DateTime.isLessThanOrEqualTo(published_at, at)

/** The lessons of modules, in an order. `NotFound`: this club has no such module or lesson, or it is deleted. */
export class Lessons extends Context.Service<Lessons, {
  /** In their order. */
  list(club_id: ClubId, module_id: ModuleId): Effect.Effect<ReadonlyArray<Lesson>, NotFound>
  get(club_id: ClubId, id: LessonId): Effect.Effect<Lesson, NotFound>
  /** Comes after all other lessons of the module. */
  create(
    club_id: ClubId,
    module_id: ModuleId,
    lesson: typeof CreateLesson.Type
  ): Effect.Effect<Lesson, LessonLimitReached | NotFound | OpeningAmbiguous | PublicIdTaken>
  patch(
    club_id: ClubId,
    id: LessonId,
    patch: typeof LessonPatch.Type
  ): Effect.Effect<Lesson, LessonLimitReached | ModuleUnknown | NotFound | OpeningAmbiguous | PublicIdTaken>
  /** When students see it; null: never. */
  publish(club_id: ClubId, id: LessonId, published_at: DateTime.Utc | null): Effect.Effect<Lesson, NotFound>
  /** With its blocks. The work of students there is kept. */
  remove(club_id: ClubId, id: LessonId): Effect.Effect<void, NotFound>
  /** Takes every lesson of the module, in their new order. */
  order(
    club_id: ClubId,
    module_id: ModuleId,
    ids: ReadonlyArray<LessonId>
  ): Effect.Effect<ReadonlyArray<Lesson>, NotFound | OrderInvalid>
}>()("turma/learning/content/Lessons") {
  static readonly layer = Layer.effect(
    Lessons,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const changes = yield* LessonChanges
      const losses = yield* makeCourseLosses
      const removeLessons = yield* makeLessonRemoval

      const columns = sql`
        id, course_id, module_id, public_id, title, position, published_at, opens_after_days, opens_at, created_at`
      const live = (club_id: ClubId) => sql`club_id = ${club_id} and deleted_at is null`
      const ofModule = (club_id: ClubId, module_id: ModuleId) => sql`${live(club_id)} and module_id = ${module_id}`

      /** Locks the module for adding, ordering and deleting, so that two lessons never get one position. */
      const lockModule = (club_id: ClubId, id: ModuleId) =>
        sql`select course_id from modules where ${live(club_id)} and id = ${id} for no key update`.pipe(decodeModule)

      const list = Effect.fn("Lessons.list")(function*(club_id: ClubId, module_id: ModuleId) {
        const found = yield* sql`select 1 from modules where ${live(club_id)} and id = ${module_id}`
        if (found.length === 0) return yield* new NotFound()
        return yield* sql`
          select ${columns} from lessons where ${ofModule(club_id, module_id)} order by position, id
        `.pipe(decodeLessons)
      }, faultsDie)

      const get = Effect.fn("Lessons.get")(function*(club_id: ClubId, id: LessonId) {
        return yield* sql`select ${columns} from lessons where ${live(club_id)} and id = ${id}`.pipe(decodeLesson)
      })

      const create = Effect.fn("Lessons.create")(
        function*(club_id: ClubId, module_id: ModuleId, { public_id, title, ...sent }: typeof CreateLesson.Type) {
          const { opens_after_days, opens_at } = openingRow(yield* openingAfter(openAtOnce, sent))
          const { course_id } = yield* lockModule(club_id, module_id)
          const id = yield* Effect.orDie(random.uuidV7())
          yield* creates(id)
          const key = public_id ?? (yield* newPublicId(random))
          const at = yield* now
          return yield* audited((audit) =>
            sql`
              ${audit.with}
              insert into lessons (
                club_id, id, course_id, module_id, public_id, title, opens_after_days, opens_at, created_at, position
              )
              select ${club_id}::uuid, ${id}::uuid, ${course_id}::uuid, ${module_id}::uuid, ${key}, ${title},
                ${opens_after_days}::integer, ${opens_at}::timestamptz, ${at}::timestamptz, coalesce(max(position), 0) + 1
              from lessons where ${ofModule(club_id, module_id)} having count(*) < ${lessonLimit} and (
                select count(*) from modules m
                join lessons l on l.club_id = m.club_id and l.module_id = m.id and l.deleted_at is null
                where m.club_id = ${club_id} and m.course_id = ${course_id} and m.deleted_at is null
              ) < ${courseLessonLimit}
              returning ${columns}`
          ).pipe(orPublicIdTaken, decodeCreated)
        },
        inTransaction(sql)
      )

      /**
       * Moves the lesson to the end of another module of its course; changes nothing if it is there. Modules are locked
       * before lessons.
       */
      const move = Effect.fnUntraced(function*(club_id: ClubId, id: LessonId, module_id: ModuleId) {
        const { course_id } = yield* get(club_id, id)
        const target = yield* Effect.catchTag(lockModule(club_id, module_id), "NotFound", () => new ModuleUnknown())
        if (target.course_id !== course_id) return yield* new ModuleUnknown()
        const lesson = yield* sql`
          select ${columns} from lessons where ${live(club_id)} and id = ${id} for no key update`.pipe(decodeLesson)
        if (lesson.module_id === module_id) return
        const moved = yield* sql`
          update lessons set module_id = ${module_id}, position = place.position
          from (
            select coalesce(max(position), 0) + 1 as position from lessons where ${ofModule(club_id, module_id)}
            having count(*) < ${lessonLimit}
          ) place
          where lessons.club_id = ${club_id} and id = ${id} returning 1`
        if (moved.length === 0) return yield* new LessonLimitReached()
      })

      // Runs before the key changes. A reader of material takes its place in the queue first and then refers to the
      // lesson. The reference waits for a change of the key, but not for a change of the title.
      const rename = Effect.fnUntraced(function*(club_id: ClubId, id: LessonId, title: string) {
        yield* sql`update lessons set title = ${title} where ${live(club_id)} and id = ${id} returning ${columns}`
          .pipe(decodeLesson)
        yield* changes.announce(club_id, [id])
      })

      const changedOpening = Effect.fnUntraced(function*(club_id: ClubId, id: LessonId, opening: Partial<Opening>) {
        const before = yield* sql`
          select ${columns} from lessons where ${live(club_id)} and id = ${id} for no key update`.pipe(decodeLesson)
        return sql`${sql.update(openingRow(yield* openingAfter(before, opening)))},`
      })

      const patch = Effect.fn("Lessons.patch")(
        function*(club_id: ClubId, id: LessonId, patch: typeof LessonPatch.Type) {
          const { module_id, public_id = null, title, ...opening } = patch
          if (module_id !== undefined) yield* move(club_id, id, module_id)
          if (title !== undefined) yield* rename(club_id, id, title)
          const changes = changesOpening(opening) ? yield* changedOpening(club_id, id, opening) : sql``
          const condition = sql`${live(club_id)} and id = ${id}`
          return yield* audited((audit) =>
            sql`
              ${audit.with}
              update lessons set ${changes} public_id = coalesce(${public_id}, public_id) where ${condition}
              returning ${columns}`
          ).pipe(orPublicIdTaken, decodeLesson)
        },
        inTransaction(sql)
      )

      const publish = Effect.fn("Lessons.publish")(
        function*(club_id: ClubId, id: LessonId, published_at: DateTime.Utc | null) {
          const condition = sql`${live(club_id)} and id = ${id}`
          const before = yield* sql`select ${columns} from lessons where ${condition} for no key update`
            .pipe(decodeLesson)
          const lesson = yield* audited((audit) =>
            sql`
              ${audit.with}
              update lessons set published_at = ${published_at && DateTime.toDateUtc(published_at)}
              where ${condition} returning ${columns}`
          ).pipe(decodeLesson)
          yield* changes.announce(club_id, [id])
          const at = yield* DateTime.now
          if (isLive(before, at) && !isLive(lesson, at)) yield* losses.record(club_id, [id])
          return lesson
        },
        inTransaction(sql)
      )

      const remove = Effect.fn("Lessons.remove")(
        function*(club_id: ClubId, id: LessonId) {
          if ((yield* removeLessons(club_id, yield* now, sql`id = ${id}`)) === 0) return yield* new NotFound()
        },
        inTransaction(sql)
      )

      const order = Effect.fn("Lessons.order")(
        function*(club_id: ClubId, module_id: ModuleId, ids: ReadonlyArray<LessonId>) {
          yield* lockModule(club_id, module_id)
          const listed = yield* sql`select id from lessons where ${ofModule(club_id, module_id)}`.pipe(decodeIds)
          if (!isOrderOf(ids, listed.map(({ id }) => id))) return yield* new OrderInvalid()
          const rows = yield* audited((audit) =>
            sql`
              ${audit.with}
              update lessons set position = asked.position
              from unnest(${uuids(ids)}) with ordinality as asked (asked_id, position)
              where club_id = ${club_id} and id = asked_id and module_id = ${module_id}
              returning id, course_id, module_id, public_id, title, lessons.position, published_at, opens_after_days,
                opens_at, created_at`
          ).pipe(decodeLessons)
          return inOrder(rows)
        },
        inTransaction(sql)
      )

      return Lessons.of({ list, get, create, patch, publish, remove, order })
    })
  ).pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}
