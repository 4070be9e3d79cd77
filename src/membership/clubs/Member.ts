import { Schema } from "effect"
import { OrganizationId } from "../../identity/ids/ClubId.ts"
import { UserId } from "../../identity/ids/UserId.ts"
import { Role } from "../../identity/people/Role.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { Email } from "../../platform/http/Text.ts"

/** owner > admin > {editor, support} > viewer (http-surface, Rulings). */
const ranks: Record<Role, number> = { owner: 3, admin: 2, editor: 1, support: 1, viewer: 0 }

/** Nobody gives or takes a role above their own. */
export const mayManage = (actor: Role, role: Role): boolean => ranks[actor] >= ranks[role]

/** A member of a club; `id` is their account's. */
export class Member extends Schema.Class<Member>("Member")({
  id: UserId,
  name: Schema.String,
  email: Schema.String,
  role: Role,
  created_at: Schema.DateTimeUtcFromDate
}) {}

/** Names an invitation in its club. Only the mailed link accepts it. */
export const InvitationId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("InvitationId"))
export type InvitationId = typeof InvitationId.Type

/** An invitation that was not accepted yet. It ends 7 days after it was made. */
export class Invitation extends Schema.Class<Invitation>("Invitation")({
  id: InvitationId,
  email: Schema.String,
  role: Role,
  created_at: Schema.DateTimeUtcFromDate,
  expires_at: Schema.DateTimeUtcFromDate
}) {}

/** A new role. */
export const MemberPatch = Schema.Struct({ role: Role })
/** Whom to invite, and as what. */
export const CreateInvitation = Schema.Struct({ email: Email, role: Role })
/** The club that was joined, and as what. */
export const AcceptedInvitation = Schema.Struct({ organization_id: OrganizationId, role: Role })

/** The last owner can neither be removed nor get a lower role. */
export class LastOwner extends ApiError<LastOwner>()("LastOwner", {
  status: 409,
  code: "last_owner",
  message: "A club keeps at least one owner: make somebody else owner first"
}) {}

/** The invited address is a member already. */
export class AlreadyMember extends ApiError<AlreadyMember>()("AlreadyMember", {
  status: 409,
  code: "already_member",
  message: "email must not be that of a member of this club"
}) {}
