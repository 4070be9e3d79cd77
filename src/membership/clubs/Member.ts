import { Schema } from "effect"
import { OrganizationId } from "../../identity/ids/ClubId.ts"
import { UserId } from "../../identity/ids/UserId.ts"
import { Role } from "../../identity/people/Role.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { Email } from "../../platform/http/Text.ts"
import { brandedId } from "../../platform/schema/brandedId.ts"
import { Instant } from "../../platform/schema/Instant.ts"

/** owner > admin > {editor, support} > viewer (http-surface, Rulings). */
const ranks: Record<Role, number> = { owner: 3, admin: 2, editor: 1, support: 1, viewer: 0 }

/** Nobody gives or takes a role above their own. */
export const mayManage = (actor: Role, role: Role): boolean => ranks[actor] >= ranks[role]

const roleIs =
  "Their rights in the club: `owner` and `admin` everything, `editor` content and community, `support` students and conversations, `viewer` only read"
const addressIs = "The address that the invitation is mailed to"

/** A member of a club; `id` is their account's. */
export class Member extends Schema.Class<Member>("Member")(Schema.Struct({
  id: UserId.pipe(field("Names the member's account, the same in every club")),
  name: Schema.String.pipe(field("The member's name", "Ana Souza")),
  email: Schema.String.annotate({ format: "email" }).pipe(field("The member's address", "ana@school.example")),
  role: Role.pipe(field(roleIs)),
  created_at: Instant.pipe(field("When they became a member"))
}).annotate({ description: "Somebody who works for a club" })) {}

/** Names an invitation in its club. Only the mailed link accepts it. */
export const InvitationId = brandedId("InvitationId")
export type InvitationId = typeof InvitationId.Type

/** An open invitation. It ends 7 days after its creation. */
export class Invitation extends Schema.Class<Invitation>("Invitation")(Schema.Struct({
  id: InvitationId.pipe(field("Names the invitation where it is withdrawn; it does not accept it")),
  email: Schema.String.annotate({ format: "email" }).pipe(field(addressIs, "bruno@school.example")),
  role: Role.pipe(field(roleIs)),
  created_at: Instant.pipe(field("When it was mailed")),
  expires_at: Instant.pipe(field("Until when its link works: 7 days after it was mailed"))
}).annotate({ description: "An invitation that nobody has accepted yet" })) {}

/** A new role. */
export const MemberPatch = Schema.Struct({
  role: Role.pipe(field(`${roleIs}. At most the caller's own role`))
})
/** The address to invite, and the role. */
export const CreateInvitation = Schema.Struct({
  email: Email.pipe(field(`${addressIs}, of up to 320 characters`, "bruno@school.example")),
  role: Role.pipe(field(`${roleIs}. At most the caller's own role`, "editor"))
})
/** The club that was joined, and as what. */
export const AcceptedInvitation = Schema.Struct({
  organization_id: OrganizationId.pipe(field("The public id of the club that was joined")),
  role: Role.pipe(field(roleIs, "editor"))
})

/** The last owner cannot be removed and cannot get a lower role. */
export class LastOwner extends ApiError<LastOwner>()("LastOwner", {
  status: 409,
  code: "last_owner",
  message: {
    en: "A club keeps at least one owner: make somebody else owner first",
    "pt-BR": "O clube precisa de ao menos um titular: torne outra pessoa titular antes."
  }
}) {}

/** The invited address is a member already. */
export class AlreadyMember extends ApiError<AlreadyMember>()("AlreadyMember", {
  status: 409,
  code: "already_member",
  message: {
    en: "email must not be that of a member of this club",
    "pt-BR": "A pessoa com este e-mail já faz parte da equipe do clube."
  }
}) {}
