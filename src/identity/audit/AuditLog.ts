import { Context, DateTime, Duration, Effect, Layer, Option, Schema, Struct } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type Statement } from "effect/sql"
import { afterCursor, type InvalidCursor, type PageAnswer, pageOf } from "../../platform/http/Page.ts"
import { OnBehalfOf } from "../../platform/sql/Connections.ts"
import { PooledRandomLayer } from "../../platform/sql/PooledRandom.ts"
import { scanning } from "../../platform/sql/ReadLane.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { floorOf } from "../../platform/sql/Uuid7.ts"
import type { ClubId } from "../ids/ClubId.ts"
import type { ClubKeyId } from "../ids/ClubKeyId.ts"
import { AuditEntry, type AuditQuery, AuditReads, type AuditReadsQuery } from "./AuditEntry.ts"

/** How long an entry is kept. */
export const auditLifetime = Duration.days(90)

/** Entries that one page looks at, at most, where a filter has no index. */
const mostScanned = 10_000

const decodePage = rows(Schema.Struct({ ...AuditEntry.fields, passes: Schema.Boolean, is_last: Schema.Boolean }))
const decodeReads = rows(AuditReads)

/** The acts in a club, for 90 days. An older entry is never answered, even if it is not deleted yet. */
export class AuditLog extends Context.Service<AuditLog, {
  /**
   * Newest first. A page ends after 10 000 that do not pass the filter, so it may be short, even empty, and have a next one.
   */
  list(club_id: ClubId, query: AuditQuery): Effect.Effect<PageAnswer<AuditEntry>, InvalidCursor>
  /** Counts a read of personal data by a key, by the operation's name in the contract. */
  countRead(club_id: ClubId, key_id: ClubKeyId, operation: string): Effect.Effect<void>
  /** How often keys have read personal data, newest hours first. */
  reads(club_id: ClubId, query: AuditReadsQuery): Effect.Effect<PageAnswer<AuditReads>, InvalidCursor>
}>()("turma/identity/audit/AuditLog") {
  static readonly layer = Layer.effect(
    AuditLog,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom

      const optional = <A>(value: A | undefined, condition: (value: A) => Statement.Fragment) =>
        value === undefined ? sql`true` : condition(value)

      const oldest = Effect.map(DateTime.now, (now) => DateTime.subtractDuration(now, auditLifetime))

      // One index serves a page: that of the filter with the fewest rows, which has them in the order of ids, by time.
      const indexed = ({ key_id, student_id, user_id }: AuditQuery) =>
        student_id !== undefined
          ? sql`a.student_id = ${student_id}`
          : key_id !== undefined
          ? sql`a.key_id = ${key_id}`
          : optional(user_id, (id) => sql`a.user_id = ${id}`)

      const isFiltered = ({ key_id, operation, outcome, user_id }: AuditQuery) =>
        [key_id, operation, outcome, user_id].some((value) => value !== undefined)

      // The last row that was looked at is answered too, whether it passes or not.
      const page = (
        club_id: ClubId,
        query: AuditQuery,
        from: DateTime.Utc,
        before: Option.Option<string>
      ) => {
        const passes = sql`(
          ${optional(query.user_id, (id) => sql`a.user_id = ${id}`)}
          and ${optional(query.key_id, (id) => sql`a.key_id = ${id}`)}
          and ${optional(query.operation, (operation) => sql`a.operation = ${operation}`)}
          and ${optional(query.outcome, (outcome) => sql`a.outcome = ${outcome}`)}
        )`
        return sql`
          select a.*, ${passes} as passes, a.place = ${mostScanned} as is_last from (
            select a.*, row_number() over (order by a.id desc) as place from audit_log a
            where a.club_id = ${club_id} and ${indexed(query)} and a.id >= ${floorOf(from)}::uuid
              and ${optional(query.until, (at) => sql`a.id < ${floorOf(at)}::uuid`)}
              and ${optional(Option.getOrUndefined(before), (id) => sql`a.id < ${id}::uuid`)}
            order by a.id desc limit ${mostScanned}
          ) a
          where ${passes} or a.place = ${mostScanned} order by a.id desc limit ${query.limit + 1}`
      }

      const list = Effect.fn("AuditLog.list")(function*(club_id: ClubId, query: AuditQuery) {
        const before = yield* afterCursor(query.cursor)
        const kept = yield* oldest
        const from = DateTime.max(kept, query.since ?? kept)
        const read = sql`
          select a.id, a.at, jsonb_build_object('user_id', u.id, 'name', u.name, 'email', u.email) as actor,
            case when k.id is not null then jsonb_build_object('id', k.id, 'name', k.name, 'prefix', k.prefix) end as key,
            a.operation, a.targets, a.student_id, a.created_id, a.request_id, a.outcome, a.passes, a.is_last
          from (${page(club_id, query, from, before)}) a join users u on u.id = a.user_id
            left join club_keys k on k.club_id = ${club_id} and k.id = a.key_id
          order by a.id desc`.pipe(decodePage)
        const found = yield* (isFiltered(query) ? scanning(read) : read)
        const entries = found.filter(({ passes }) => passes).map(Struct.omit(["passes", "is_last"]))
        return pageOf(entries, query.limit, found.find(({ is_last }) => is_last)?.id)
      })

      const countRead = Effect.fn("AuditLog.countRead")(
        function*(club_id: ClubId, key_id: ClubKeyId, operation: string) {
          const id = yield* random.uuidV7()
          const hour = DateTime.toDateUtc(DateTime.startOf(yield* DateTime.now, "hour"))
          yield* sql`
            insert into audit_reads ${sql.insert({ club_id, id, key_id, operation, hour, count: 1 })}
            on conflict (club_id, key_id, operation, hour) do update set count = audit_reads.count + 1`
            .pipe(Effect.provideService(OnBehalfOf, club_id))
        },
        Effect.orDie
      )

      const reads = Effect.fn("AuditLog.reads")(function*(club_id: ClubId, { cursor, key_id, limit }: AuditReadsQuery) {
        const before = Option.getOrUndefined(yield* afterCursor(cursor))
        const read = sql`
          select id, key_id, operation, hour, count from audit_reads
          where club_id = ${club_id} and hour >= ${DateTime.toDateUtc(yield* oldest)}
            and ${optional(key_id, (id) => sql`key_id = ${id}`)}
            and ${optional(before, (id) => sql`id < ${id}::uuid`)}
          order by id desc limit ${limit + 1}`.pipe(decodeReads)
        const found = yield* (key_id === undefined ? read : scanning(read))
        return pageOf(found, limit)
      })

      return AuditLog.of({ list, countRead, reads })
    })
  ).pipe(Layer.provide(PooledRandomLayer))
}
