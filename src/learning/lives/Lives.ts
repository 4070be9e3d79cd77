import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import { creates } from "../../identity/audit/NewAuditEntry.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { EndsAtNotLater } from "../../membership/catalog/Cohort.ts"
import { NotFound } from "../../platform/http/errors.ts"
import type { InvalidCursor, PageAnswer, PageRequest } from "../../platform/http/Page.ts"
import { instant } from "../../platform/sql/Arrays.ts"
import { faultsDie, first, firstOr, rows } from "../../platform/sql/Rows.ts"
import { Attendance, type CreateLive, Live, LiveEnded, LiveId, LiveNotOpen, type LivePatch } from "./Live.ts"
import { makeLiveQueue } from "./LiveAnnouncements.ts"
import { rowsAfter, timeCursor } from "./TimeCursor.ts"

const decodeLives = rows(Live)
const decodeLive = firstOr(Live, () => new NotFound())
const decodeChanged = first(Live)
const decodeAttendances = rows(Attendance)

/** The lives of a club, for its staff. `NotFound`: the club has no such live, or it was deleted. */
export class Lives extends Context.Service<Lives, {
  /** The latest start first. */
  list(club_id: ClubId, page: PageRequest): Effect.Effect<PageAnswer<Live>, InvalidCursor>
  get(club_id: ClubId, id: LiveId): Effect.Effect<Live, NotFound>
  create(club_id: ClubId, live: typeof CreateLive.Type): Effect.Effect<Live, EndsAtNotLater>
  patch(club_id: ClubId, id: LiveId, patch: typeof LivePatch.Type): Effect.Effect<Live, EndsAtNotLater | NotFound>
  /** Attendances and the points for them stay. A worker withdraws the notifications. */
  remove(club_id: ClubId, id: LiveId): Effect.Effect<void, NotFound>
  /** Repeating it changes nothing. */
  open(club_id: ClubId, id: LiveId): Effect.Effect<Live, LiveEnded | NotFound>
  /** Repeating it changes nothing. */
  close(club_id: ClubId, id: LiveId): Effect.Effect<Live, LiveNotOpen | NotFound>
  /** In the order in which they came. */
  attendances(
    club_id: ClubId,
    id: LiveId,
    page: PageRequest
  ): Effect.Effect<PageAnswer<Attendance>, InvalidCursor | NotFound>
}>()("turma/learning/lives/Lives") {
  static readonly layer = Layer.effect(
    Lives,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const queue = yield* makeLiveQueue
      const columns = sql`
        id, title, description, url, starts_at, ends_at, status, opened_at, ended_at, created_at`
      const isLive = (club_id: ClubId, id: LiveId) => sql`club_id = ${club_id} and id = ${id} and deleted_at is null`
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)

      const list = Effect.fn("Lives.list")(function*(club_id: ClubId, { cursor, limit }: PageRequest) {
        const after = yield* timeCursor.read(cursor)
        const lives = yield* sql`
            select ${columns} from lives where club_id = ${club_id} and deleted_at is null
              and ${rowsAfter(sql, after, (at, id) => sql`(starts_at, id) < (${at}::timestamptz, ${id}::uuid)`)}
            order by starts_at desc, id desc limit ${limit + 1}`.pipe(decodeLives)
        return yield* timeCursor.page(lives, limit, ({ id, starts_at }) => ({ at: starts_at, id }))
      })

      const get = Effect.fn("Lives.get")(function*(club_id: ClubId, id: LiveId) {
        return yield* sql`select ${columns} from lives where ${isLive(club_id, id)}`.pipe(decodeLive)
      })

      const create = Effect.fn("Lives.create")(
        function*(club_id: ClubId, asked: typeof CreateLive.Type) {
          const { description = "", ends_at = null, starts_at, title, url = null } = asked
          const id = LiveId.make(yield* Effect.orDie(random.uuidV7()))
          yield* creates(id)
          const live = {
            id,
            title,
            description,
            url,
            starts_at,
            ends_at,
            status: "scheduled" as const,
            opened_at: null,
            ended_at: null,
            created_at: yield* DateTime.now
          }
          yield* audited((audit) =>
            sql`
              ${audit.with}
              insert into lives (club_id, id, title, description, url, starts_at, ends_at, status, created_at)
              values (${club_id}, ${live.id}, ${title}, ${description}, ${url}, ${instant(starts_at)},
              ${instant(ends_at)},
                ${live.status}, ${instant(live.created_at)})`
          )
          return new Live(live)
        },
        Effect.catchReason("SqlError", "ConstraintError", () => Effect.fail(new EndsAtNotLater())),
        faultsDie
      )

      const patch = Effect.fn("Lives.patch")(function*(club_id: ClubId, id: LiveId, patch: typeof LivePatch.Type) {
        const { description = null, ends_at, starts_at, title = null, url } = patch
        return yield* audited((audit) =>
          sql`
              ${audit.with}
              update lives set
                title = coalesce(${title}, title),
                description = coalesce(${description}, description),
                url = case when ${url !== undefined} then ${url ?? null} else url end,
                starts_at = coalesce(${instant(starts_at)}, starts_at),
                ends_at = case when ${ends_at !== undefined} then ${instant(ends_at)}::timestamptz else ends_at end
              where ${isLive(club_id, id)}
              returning ${columns}`
        ).pipe(
          Effect.catchReason("SqlError", "ConstraintError", () => Effect.fail(new EndsAtNotLater())),
          decodeLive
        )
      })

      const remove = Effect.fn("Lives.remove")(
        function*(club_id: ClubId, id: LiveId) {
          const at = yield* now
          const gone = yield* audited((audit) =>
            sql`${audit.with} update lives set deleted_at = ${at} where ${isLive(club_id, id)} returning 1`
          )
          if (gone.length === 0) return yield* new NotFound()
          yield* queue(club_id, [id])
        },
        sql.withTransaction,
        faultsDie
      )

      const open = Effect.fn("Lives.open")(function*(club_id: ClubId, id: LiveId) {
        const at = yield* now
        const opened = yield* audited((audit) =>
          sql`
            ${audit.with}
            update lives set status = 'open', opened_at = ${at}
            where ${isLive(club_id, id)} and status = 'scheduled' returning ${columns}`
        ).pipe(decodeChanged)
        if (Option.isSome(opened)) return opened.value
        const live = yield* get(club_id, id)
        return live.status === "open" ? live : yield* new LiveEnded()
      })

      const close = Effect.fn("Lives.close")(function*(club_id: ClubId, id: LiveId) {
        const at = yield* now
        const closed = yield* audited((audit) =>
          sql`
            ${audit.with}
            update lives set status = 'ended', ended_at = ${at}
            where ${isLive(club_id, id)} and status = 'open' returning ${columns}`
        ).pipe(decodeChanged)
        if (Option.isSome(closed)) return closed.value
        const live = yield* get(club_id, id)
        return live.status === "ended" ? live : yield* new LiveNotOpen()
      })

      const attendances = Effect.fn("Lives.attendances")(function*(
        club_id: ClubId,
        id: LiveId,
        { cursor, limit }: PageRequest
      ) {
        const after = yield* timeCursor.read(cursor)
        yield* get(club_id, id)
        const all = yield* sql`
            select json_build_object('id', s.id, 'name', s.name) as student, a.joined_at
            from live_attendances a join students s on s.club_id = a.club_id and s.id = a.student_id
            where a.club_id = ${club_id} and a.live_id = ${id}
              and
              ${rowsAfter(sql, after, (at, id) => sql`(a.joined_at, a.student_id) > (${at}::timestamptz, ${id}::uuid)`)}
            order by a.joined_at, a.student_id limit ${limit + 1}`.pipe(decodeAttendances)
        return yield* timeCursor.page(all, limit, ({ joined_at, student }) => ({ at: joined_at, id: student.id }))
      })

      return Lives.of({ list, get, create, patch, remove, open, close, attendances })
    })
  ).pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}
