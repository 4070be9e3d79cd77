import { Option, Schema } from "effect"
import { Locale } from "../../platform/http/Locale.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { ClubId, OrganizationId } from "../ids/ClubId.ts"
import { StudentId } from "../ids/StudentId.ts"
import { UserId } from "../ids/UserId.ts"
import type { SessionClub, StudentIdentity, UserIdentity } from "../people/Identity.ts"
import { Role } from "../people/Role.ts"
import { type Session, SessionId } from "../people/Session.ts"

/** A row of either table of sessions, without its holder. */
export const SessionTimes = Schema.Struct({
  id: SessionId,
  created_at: Instant,
  last_seen_at: Instant,
  expires_at: Instant
})

const account = {
  ...SessionTimes.fields,
  name: Schema.String,
  email: Schema.String,
  verified: Schema.Boolean
}

const club = {
  club_id: ClubId,
  organization_id: OrganizationId,
  club_name: Schema.String,
  locale: Locale,
  time_zone: Schema.String,
  day_zone: Schema.String
}

const noClub = {
  club_id: Schema.Null,
  organization_id: Schema.Null,
  club_name: Schema.Null,
  locale: Schema.Null,
  time_zone: Schema.Null,
  day_zone: Schema.Null
}

/** The row that a token finds: its session, the account, and for a member or student the club. */
export const SessionRow = Schema.Union([
  Schema.Struct({ ...account, ...club, kind: Schema.tag("admin"), account_id: UserId, role: Role }),
  Schema.Struct({ ...account, ...noClub, kind: Schema.tag("admin"), account_id: UserId, role: Schema.Null }),
  Schema.Struct({ ...account, ...club, kind: Schema.tag("student"), account_id: StudentId, role: Schema.Null })
])

/** An administrator and, if they are a member of the requested club, their membership. */
export interface UserWithMembership extends UserIdentity {
  readonly _tag: "User"
  readonly membership: Option.Option<{ readonly club: SessionClub; readonly role: Role }>
}

const ClubColumns = Schema.Struct(club)

const clubOf = (
  { club_id, club_name, day_zone, locale, organization_id, time_zone }: typeof ClubColumns.Type
): SessionClub => ({
  id: club_id,
  organization_id,
  name: club_name,
  locale,
  time_zone,
  day_zone
})

/** The identity of a row, with its session. */
export const identityOf = (row: typeof SessionRow.Type, session: Session): UserWithMembership | StudentIdentity => {
  const { email, name, verified } = row
  if (row.kind === "student") {
    return { _tag: "Student", session, student: { id: row.account_id, name, email, verified }, club: clubOf(row) }
  }
  const user = { id: row.account_id, name, email, verified }
  const membership = row.role === null ? Option.none() : Option.some({ club: clubOf(row), role: row.role })
  return { _tag: "User", session, user, membership }
}
