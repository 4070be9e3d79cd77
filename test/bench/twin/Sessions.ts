import { createHash } from "node:crypto"
import type { Sql } from "postgres"
import { unauthenticated } from "./Refusal.ts"

/** A session, its owner, and the owner's role in the club. */
export interface Found {
  readonly kind: "admin" | "student"
  readonly id: string
  readonly last_seen_at: Date
  readonly account_id: string
  readonly name: string
  readonly email: string
  readonly verified: boolean
  readonly club_id: string | null
  readonly organization_id: string | null
  readonly time_zone: string | null
  readonly role: string | null
}

const day = 86_400_000
const idle = { admin: 7 * day, student: 30 * day }
const touchEvery = 3_600_000

const tokenShape = /^Bearer ([A-Za-z0-9_-]{43})$/i
const uuidShape = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Reads session and club in the same single statement that Turma sends. Writes last-seen at most once an hour. */
export const makeSessions = (sql: Sql) => {
  const select = (hash: Buffer, organization: string | null, now: number) =>
    sql<Array<Found>>`
      select 'admin' as kind, s.id, s.last_seen_at, u.id as account_id, u.name, u.email, true as verified,
        c.id as club_id, c.organization_id, c.time_zone, m.role
      from user_sessions s
      join users u on u.id = s.user_id
      left join (members m join clubs c on c.id = m.club_id)
        on m.user_id = s.user_id and c.organization_id = ${organization}::uuid
      where s.token_hash = ${hash}
        and s.expires_at > ${new Date(now)} and s.last_seen_at > ${new Date(now - idle.admin)}
      union all
      select 'student', s.id, s.last_seen_at, st.id, st.name, st.email, st.verified_at is not null,
        c.id, c.organization_id, c.time_zone, null
      from student_sessions s
      join students st on st.club_id = s.club_id and st.id = s.student_id
      join clubs c on c.id = s.club_id
      where s.token_hash = ${hash}
        and s.expires_at > ${new Date(now)} and s.last_seen_at > ${new Date(now - idle.student)}`

  const touch = async ({ id, kind, last_seen_at }: Found, now: number) => {
    if (now < last_seen_at.getTime() + touchEvery) return
    await sql`
      update ${sql(kind === "admin" ? "user_sessions" : "student_sessions")} set last_seen_at = ${new Date(now)}
      where id = ${id} and last_seen_at = ${last_seen_at}`
  }

  /** Finds the person with this header and their role in the club. A malformed club id matches no club. */
  return async (authorization: string | undefined, organization: string | undefined): Promise<Found> => {
    const token = tokenShape.exec(authorization ?? "")?.[1]
    if (token === undefined) throw unauthenticated()
    const now = Date.now()
    const club = organization !== undefined && uuidShape.test(organization) ? organization : null
    const [found] = await select(createHash("sha256").update(token).digest(), club, now)
    if (found === undefined) throw unauthenticated()
    await touch(found, now)
    return found
  }
}
