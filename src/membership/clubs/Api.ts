import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  administration,
  AllowedRoles,
  ClubMember,
  clubPath,
  Forbidden,
  UserSession
} from "../../identity/authentication/Authentication.ts"
import { UserId } from "../../identity/ids/UserId.ts"
import { ClubWrites, IpWrites } from "../../identity/limits/RateLimit.ts"
import { TokenInvalid, TokenPayload } from "../../identity/tokens/TokenPayload.ts"
import { NotFound, TemporarilyUnavailable } from "../../platform/http/errors.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Idempotent } from "../../platform/idempotency/Idempotency.ts"
import { MailLimitReached } from "../caps/MailLimit.ts"
import { Club, ClubLimitReached, CreateClub, PatchClub, SlugTaken } from "./Club.ts"
import { Me, PatchMe } from "./Me.ts"
import {
  AlreadyMember,
  CreateInvitation,
  Invitation,
  InvitationId,
  Joined,
  LastOwner,
  Member,
  PatchMember
} from "./Membership.ts"

/** The step before any club: who am I, and where (contract, Endpoints 11). */
export class AccountApi extends HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.get("me", "/me", { success: Data(Me) }).annotate(
      OpenApi.Summary,
      "Read one's own account and its clubs"
    ),
    HttpApiEndpoint.patch("updateMe", "/me", { payload: PatchMe, success: Data(Me) }).annotate(
      OpenApi.Summary,
      "Change one's own name"
    ),
    HttpApiEndpoint.post("createClub", "/clubs", {
      payload: CreateClub,
      success: Data(Club).pipe(HttpApiSchema.status(201)),
      error: [ClubLimitReached, SlugTaken, TemporarilyUnavailable]
    }).annotate(OpenApi.Summary, "Found a club").middleware(Idempotent),
    HttpApiEndpoint.post("acceptInvitation", "/invitations/accept", {
      payload: TokenPayload,
      success: Data(Joined),
      error: TokenInvalid
    }).annotate(OpenApi.Summary, "Accept an invitation to a club")
  )
  .middleware(IpWrites)
  .middleware(UserSession)
  .annotate(OpenApi.Title, "Account")
  .annotate(OpenApi.Description, "The administrator who asks, and the ways into a club: founding one or being invited")
{}

const member = { ...clubPath, userId: sentId(UserId) }

/** A club, its members and who is invited to become one. */
export class ClubsApi extends HttpApiGroup.make("clubs")
  .add(
    HttpApiEndpoint.get("get", "/", { params: clubPath, success: Data(Club) }).annotate(
      OpenApi.Summary,
      "Read the club"
    ),
    HttpApiEndpoint.patch("update", "/", {
      params: clubPath,
      payload: PatchClub,
      success: Data(Club),
      error: SlugTaken
    }).annotate(OpenApi.Summary, "Change the club").annotate(AllowedRoles, administration),
    HttpApiEndpoint.get("listMembers", "/members", {
      params: clubPath,
      query: PageQuery,
      success: Page(Member),
      error: InvalidCursor
    }).annotate(OpenApi.Summary, "List the members"),
    HttpApiEndpoint.patch("updateMember", "/members/:userId", {
      params: member,
      payload: PatchMember,
      success: Data(Member),
      error: [Forbidden, LastOwner, NotFound]
    }).annotate(OpenApi.Summary, "Change a member's role").annotate(AllowedRoles, administration),
    HttpApiEndpoint.delete("removeMember", "/members/:userId", {
      params: member,
      success: HttpApiSchema.NoContent,
      error: [Forbidden, LastOwner, NotFound]
    }).annotate(OpenApi.Summary, "Remove a member").annotate(AllowedRoles, administration),
    HttpApiEndpoint.get("listInvitations", "/members/invitations", {
      params: clubPath,
      query: PageQuery,
      success: Page(Invitation),
      error: InvalidCursor
    }).annotate(OpenApi.Summary, "List the open invitations").annotate(AllowedRoles, administration),
    HttpApiEndpoint.post("invite", "/members/invitations", {
      params: clubPath,
      payload: CreateInvitation,
      success: Data(Invitation).pipe(HttpApiSchema.status(201)),
      error: [Forbidden, AlreadyMember, MailLimitReached]
    }).annotate(OpenApi.Summary, "Invite somebody to become a member").annotate(AllowedRoles, administration)
      .middleware(Idempotent),
    HttpApiEndpoint.delete("withdrawInvitation", "/members/invitations/:invitationId", {
      params: { ...clubPath, invitationId: InvitationId },
      success: HttpApiSchema.NoContent,
      error: [Forbidden, NotFound]
    }).annotate(OpenApi.Summary, "Withdraw an invitation").annotate(AllowedRoles, administration)
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(OpenApi.Title, "Clubs and members")
  .annotate(OpenApi.Description, "A club, its members and their roles, and who is invited to become one")
{}
