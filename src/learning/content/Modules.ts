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
import type { CourseId } from "./Course.ts"
import { makeLessonRemoval } from "./LessonRemoval.ts"
import { type CreateModule, Module, ModuleId, moduleLimit, ModuleLimitReached, type ModulePatch } from "./Module.ts"
import { openAtOnce, openingAfter, type OpeningAmbiguous, openingRow } from "./Opening.ts"

const decodeModules = rows(Module)
const decodeModule = firstOr(Module, () => new NotFound())
const decodeCreated = firstOr(Module, () => new ModuleLimitReached())
const decodeIds = rows(Schema.Struct({ id: ModuleId }))

const now = Effect.map(DateTime.now, DateTime.toDateUtc)

/** The modules of courses, in an order. `NotFound`: this club has no such course or module, or it is deleted. */
export class Modules extends Context.Service<Modules, {
  /** In their order. */
  list(club_id: ClubId, course_id: CourseId): Effect.Effect<ReadonlyArray<Module>, NotFound>
  get(club_id: ClubId, id: ModuleId): Effect.Effect<Module, NotFound>
  /** Comes after all other modules of the course. */
  create(
    club_id: ClubId,
    course_id: CourseId,
    module: typeof CreateModule.Type
  ): Effect.Effect<Module, ModuleLimitReached | NotFound | OpeningAmbiguous>
  patch(
    club_id: ClubId,
    id: ModuleId,
    patch: typeof ModulePatch.Type
  ): Effect.Effect<Module, NotFound | OpeningAmbiguous>
  /** With its lessons and their blocks. The work of students there is kept. */
  remove(club_id: ClubId, id: ModuleId): Effect.Effect<void, NotFound>
  /** Takes every module of the course, in their new order. */
  order(
    club_id: ClubId,
    course_id: CourseId,
    ids: ReadonlyArray<ModuleId>
  ): Effect.Effect<ReadonlyArray<Module>, NotFound | OrderInvalid>
}>()("turma/learning/content/Modules") {
  static readonly layer = Layer.effect(
    Modules,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const removeLessons = yield* makeLessonRemoval

      const columns = sql`id, course_id, title, position, opens_after_days, opens_at, created_at`
      const live = (club_id: ClubId) => sql`club_id = ${club_id} and deleted_at is null`
      const ofCourse = (club_id: ClubId, course_id: CourseId) => sql`${live(club_id)} and course_id = ${course_id}`

      /** Locks the course for adding, ordering and deleting, so that two modules never get one position. */
      const lockCourse = Effect.fnUntraced(function*(club_id: ClubId, id: CourseId) {
        const found = yield* sql`select 1 from courses where ${live(club_id)} and id = ${id} for no key update`
        if (found.length === 0) return yield* new NotFound()
      })

      const list = Effect.fn("Modules.list")(function*(club_id: ClubId, course_id: CourseId) {
        const found = yield* sql`select 1 from courses where ${live(club_id)} and id = ${course_id}`
        if (found.length === 0) return yield* new NotFound()
        return yield* sql`
          select ${columns} from modules where ${ofCourse(club_id, course_id)} order by position, id
        `.pipe(decodeModules)
      }, faultsDie)

      const get = Effect.fn("Modules.get")(function*(club_id: ClubId, id: ModuleId) {
        return yield* sql`select ${columns} from modules where ${live(club_id)} and id = ${id}`.pipe(decodeModule)
      })

      const create = Effect.fn("Modules.create")(
        function*(club_id: ClubId, course_id: CourseId, { title, ...opening }: typeof CreateModule.Type) {
          const { opens_after_days, opens_at } = openingRow(yield* openingAfter(openAtOnce, opening))
          yield* lockCourse(club_id, course_id)
          const id = yield* Effect.orDie(random.uuidV7())
          yield* creates(id)
          const at = yield* now
          return yield* audited((audit) =>
            sql`
              ${audit.with}
              insert into modules (
                club_id, id, course_id, title, opens_after_days, opens_at, created_at, position
              )
              select ${club_id}::uuid, ${id}::uuid, ${course_id}::uuid, ${title}, ${opens_after_days}::integer,
                ${opens_at}::timestamptz, ${at}::timestamptz, coalesce(max(position), 0) + 1
              from modules where ${ofCourse(club_id, course_id)} having count(*) < ${moduleLimit}
              returning ${columns}`
          ).pipe(decodeCreated)
        },
        inTransaction(sql)
      )

      const patch = Effect.fn("Modules.patch")(
        function*(club_id: ClubId, id: ModuleId, { title, ...opening }: typeof ModulePatch.Type) {
          const condition = sql`${live(club_id)} and id = ${id}`
          const before = yield* sql`select ${columns} from modules where ${condition} for no key update`
            .pipe(decodeModule)
          const changes = { title: title ?? before.title, ...openingRow(yield* openingAfter(before, opening)) }
          return yield* audited((audit) =>
            sql`
              ${audit.with}
              update modules set ${sql.update(changes)} where ${condition} returning ${columns}`
          ).pipe(decodeModule)
        },
        inTransaction(sql)
      )

      const remove = Effect.fn("Modules.remove")(
        function*(club_id: ClubId, id: ModuleId) {
          const at = yield* now
          const gone = yield* audited((audit) =>
            sql`
              ${audit.with}
              update modules set deleted_at = ${at} where ${live(club_id)} and id = ${id} returning 1`
          )
          if (gone.length === 0) return yield* new NotFound()
          yield* removeLessons(club_id, at, sql`module_id = ${id}`)
        },
        inTransaction(sql)
      )

      const order = Effect.fn("Modules.order")(
        function*(club_id: ClubId, course_id: CourseId, ids: ReadonlyArray<ModuleId>) {
          yield* lockCourse(club_id, course_id)
          const listed = yield* sql`select id from modules where ${ofCourse(club_id, course_id)}`.pipe(decodeIds)
          if (!isOrderOf(ids, listed.map(({ id }) => id))) return yield* new OrderInvalid()
          const rows = yield* audited((audit) =>
            sql`
              ${audit.with}
              update modules m set position = asked.position
              from unnest(${uuids(ids)}) with ordinality as asked (id, position)
              where m.club_id = ${club_id} and m.id = asked.id
              returning m.id, m.course_id, m.title, m.position, m.opens_after_days, m.opens_at, m.created_at`
          ).pipe(decodeModules)
          return inOrder(rows)
        },
        inTransaction(sql)
      )

      return Modules.of({ list, get, create, patch, remove, order })
    })
  ).pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}
