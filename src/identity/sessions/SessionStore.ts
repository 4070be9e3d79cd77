import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Duration, Effect, Layer, Option, type Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { afterCursor, type InvalidCursor, type PageAnswer, pageOf, type PageRequest } from "../../platform/http/Page.ts"
import { ClockGuard } from "../../platform/jobs/ClockGuard.ts"
import { lookingUp } from "../../platform/sql/ReadLane.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { OrganizationId } from "../ids/ClubId.ts"
import { dayZoneOf } from "../people/DayZone.ts"
import type { Holder } from "../people/Holder.ts"
import type { StudentIdentity } from "../people/Identity.ts"
import { type Session, SessionId } from "../people/Session.ts"
import { hashToken, isToken, makeToken } from "../tokens/Token.ts"
import { identityOf, SessionRow, SessionTimes, type UserWithMembership } from "./SessionRow.ts"
import { sessionSettings } from "./SessionSettings.ts"

/**
 * `last_seen_at` is written at most this often, so that most requests write nothing; a short idle time needs it more
 * often.
 */
const touchEvery = (idle: Duration.Duration) => Duration.min(Duration.hours(1), Duration.times(idle, 0.25))

const firstPage = { limit: 25 }

const decodeSessions = rows(SessionRow)
const isOrganizationId = Schema.is(OrganizationId)
const decodeTimes = rows(SessionTimes)

/** A session with its token, which is shown once. */
export interface IssuedSession {
  readonly access_token: Redacted.Redacted
  readonly session: Session
  /** When the session ends even if it is used. A cookie lives that long. */
  readonly ends_at: DateTime.Utc
}

/**
 * Opaque bearer sessions (contract, Authentication 1). Each is looked up in its table on every request, so ending one
 * takes effect at once. Only the SHA-256 of a token is stored.
 */
export class SessionStore extends Context.Service<SessionStore, {
  /** Starts a session; the token is returned only here. */
  issue(holder: Holder): Effect.Effect<IssuedSession>
  /**
   * The holder of this token, and their membership in the club with this public id, in one statement. A malformed club
   * id matches no club.
   */
  find(
    token: Redacted.Redacted,
    organization_id: Option.Option<string>
  ): Effect.Effect<Option.Option<UserWithMembership | StudentIdentity>>
  /** The holder's live sessions, newest first. */
  list(
    holder: Holder,
    current: SessionId,
    page?: PageRequest
  ): Effect.Effect<PageAnswer<Session>, InvalidCursor>
  /** Ends one session of the holder; false if there is no session with that id. */
  end(holder: Holder, id: SessionId): Effect.Effect<boolean>
  /** Ends every session of the holder but the current one. */
  endOthers(holder: Holder, current: SessionId): Effect.Effect<void>
  /** Ends every session of the holder. */
  endAll(holder: Holder): Effect.Effect<void>
  /** Deletes what has expired. */
  readonly sweep: Effect.Effect<void>
}>()("turma/identity/sessions/SessionStore") {
  static readonly layer = Layer.effect(
    SessionStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const guard = yield* ClockGuard
      const lifetimes = {
        admin: {
          idle: yield* sessionSettings.ADMIN_SESSION_IDLE.read,
          max: yield* sessionSettings.ADMIN_SESSION_MAX.read
        },
        student: {
          idle: yield* sessionSettings.STUDENT_SESSION_IDLE.read,
          max: yield* sessionSettings.STUDENT_SESSION_MAX.read
        }
      }

      const tableOf = (kind: Holder["kind"]) => sql(kind === "admin" ? "user_sessions" : "student_sessions")
      const ofHolder = (holder: Holder) =>
        holder.kind === "admin"
          ? sql`user_id = ${holder.user_id}`
          : sql`club_id = ${holder.club_id} and student_id = ${holder.student_id}`

      const sessionOf = (
        row: typeof SessionTimes.Type,
        kind: Holder["kind"],
        current: boolean
      ): Session => ({
        id: row.id,
        kind,
        created_at: row.created_at,
        last_seen_at: row.last_seen_at,
        expires_at: DateTime.min(row.expires_at, DateTime.addDuration(row.last_seen_at, lifetimes[kind].idle)),
        current
      })

      const findRow = (query: {
        readonly hash: Uint8Array
        readonly organization_id: string | null
        readonly now: Date
        readonly admin_idle_since: Date
        readonly student_idle_since: Date
      }) =>
        sql`
            select 'admin' as kind, s.id, s.created_at, s.last_seen_at, s.expires_at,
              u.id as account_id, u.name, u.email, true as verified,
              c.id as club_id, c.organization_id, c.name as club_name, c.locale, c.time_zone,
              ${dayZoneOf(sql, sql`c`, query.now)} as day_zone, m.role
            from user_sessions s
            join users u on u.id = s.user_id
            left join (members m join clubs c on c.id = m.club_id)
              on m.user_id = s.user_id and c.organization_id = ${query.organization_id}::uuid
            where s.token_hash = ${query.hash}
              and s.expires_at > ${query.now} and s.last_seen_at > ${query.admin_idle_since}
            union all
            select 'student', s.id, s.created_at, s.last_seen_at, s.expires_at,
              st.id, st.name, st.email, st.verified_at is not null,
              c.id, c.organization_id, c.name, c.locale, c.time_zone,
              ${dayZoneOf(sql, sql`c`, query.now)}, null
            from student_sessions s
            join students st on st.club_id = s.club_id and st.id = s.student_id
            join clubs c on c.id = s.club_id
            where s.token_hash = ${query.hash}
              and s.expires_at > ${query.now} and s.last_seen_at > ${query.student_idle_since}
          `.pipe(decodeSessions, lookingUp)

      /** Updates `last_seen_at` if it is due, and answers the row as it is now. */
      const touch = Effect.fnUntraced(function*<Row extends typeof SessionRow.Type>(row: Row, now: DateTime.Utc) {
        const due = DateTime.addDuration(row.last_seen_at, touchEvery(lifetimes[row.kind].idle))
        if (DateTime.isLessThan(now, due)) return row
        yield* sql`
          update ${tableOf(row.kind)} set last_seen_at = ${DateTime.toDateUtc(now)}
          where id = ${row.id} and last_seen_at = ${DateTime.toDateUtc(row.last_seen_at)}
        `
        return { ...row, last_seen_at: now }
      })

      // Runs on every request: no span beside the statement's.
      const find = Effect.fnUntraced(function*(
        token: Redacted.Redacted,
        organization_id: Option.Option<string>
      ) {
        if (!isToken(token)) return Option.none()
        const now = yield* DateTime.now
        const [found] = yield* findRow({
          hash: hashToken(token),
          organization_id: Option.getOrNull(Option.filter(organization_id, isOrganizationId)),
          now: DateTime.toDateUtc(now),
          admin_idle_since: DateTime.toDateUtc(DateTime.subtractDuration(now, lifetimes.admin.idle)),
          student_idle_since: DateTime.toDateUtc(DateTime.subtractDuration(now, lifetimes.student.idle))
        })
        if (found === undefined) return Option.none()
        const row = yield* touch(found, now)
        return Option.some(identityOf(row, sessionOf(row, row.kind, true)))
      }, Effect.orDie)

      const issue = Effect.fn("SessionStore.issue")(
        function*(holder: Holder) {
          const access_token = yield* makeToken
          const now = yield* DateTime.now
          const times = {
            id: SessionId.make(yield* random.uuidV7()),
            created_at: now,
            last_seen_at: now,
            expires_at: DateTime.addDuration(now, lifetimes[holder.kind].max)
          }
          const { kind, ...owner } = holder
          const row = {
            ...owner,
            id: times.id,
            token_hash: hashToken(access_token),
            created_at: DateTime.toDateUtc(now),
            last_seen_at: DateTime.toDateUtc(now),
            expires_at: DateTime.toDateUtc(times.expires_at)
          }
          yield* sql`insert into ${tableOf(kind)} ${sql.insert(row)}`
          return { access_token, session: sessionOf(times, kind, true), ends_at: times.expires_at }
        },
        Effect.provideService(SecureRandom.SecureRandom, random),
        Effect.orDie
      )

      const listRows = Effect.fnUntraced(function*(holder: Holder, after: Option.Option<string>, limit: number) {
        const now = yield* DateTime.now
        const idle_since = DateTime.subtractDuration(now, lifetimes[holder.kind].idle)
        return yield* sql`
          select id, created_at, last_seen_at, expires_at from ${tableOf(holder.kind)}
          where ${ofHolder(holder)} and expires_at > ${DateTime.toDateUtc(now)}
            and last_seen_at > ${DateTime.toDateUtc(idle_since)}
            and ${Option.match(after, { onNone: () => sql`true`, onSome: (id) => sql`id < ${id}` })}
          order by id desc limit ${limit + 1}
        `.pipe(decodeTimes)
      })

      const list = Effect.fn("SessionStore.list")(function*(
        holder: Holder,
        current: SessionId,
        page: PageRequest = firstPage
      ) {
        const rows = yield* listRows(holder, yield* afterCursor(page.cursor), page.limit)
        const { data, next_cursor } = pageOf(rows, page.limit)
        return { data: data.map((row) => sessionOf(row, holder.kind, row.id === current)), next_cursor }
      })

      const end = Effect.fn("SessionStore.end")(function*(holder: Holder, id: SessionId) {
        const ended = yield* sql`
          delete from ${tableOf(holder.kind)} where ${ofHolder(holder)} and id = ${id} returning id
        `
        return ended.length > 0
      }, Effect.orDie)

      const endOthers = Effect.fn("SessionStore.endOthers")(function*(holder: Holder, current: SessionId) {
        yield* sql`delete from ${tableOf(holder.kind)} where ${ofHolder(holder)} and id <> ${current}`
      }, Effect.orDie)

      const endAll = Effect.fn("SessionStore.endAll")(function*(holder: Holder) {
        yield* sql`delete from ${tableOf(holder.kind)} where ${ofHolder(holder)}`
      }, Effect.orDie)

      const sweepUntil = Effect.fnUntraced(function*(at: DateTime.Utc) {
        const now = DateTime.toDateUtc(at)
        yield* sql`delete from user_sessions where expires_at <= ${now}`
        yield* sql`delete from student_sessions where expires_at <= ${now}`
      })

      const sweep = guard.sweep("sessions", sweepUntil).pipe(
        Effect.asVoid,
        Effect.orDie,
        Effect.withSpan("SessionStore.sweep")
      )

      return SessionStore.of({ issue, find, list, end, endOthers, endAll, sweep })
    })
  ).pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}
