import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { administration, AllowedRoles, ClubMember, Forbidden, UserSession } from "../auth/Authentication.ts"
import { TokenInvalid, TokenPayload } from "../auth/credentials/Credential.ts"
import { UserId } from "../auth/User.ts"
import { NotFound } from "../http/errors.ts"
import { Idempotent } from "../http/Idempotency.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../http/Page.ts"
import { sentId } from "../http/Text.ts"
import { ClubWrites, IpWrites } from "../limits/RateLimit.ts"
import { Club, CreateClub, PatchClub, SlugTaken } from "./Club.ts"
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
    HttpApiEndpoint.get("me", "/me", { success: Data(Me) }),
    HttpApiEndpoint.patch("updateMe", "/me", { payload: PatchMe, success: Data(Me) }),
    HttpApiEndpoint.post("createClub", "/clubs", {
      payload: CreateClub,
      success: Data(Club).pipe(HttpApiSchema.status(201)),
      error: SlugTaken
    }).middleware(Idempotent),
    HttpApiEndpoint.post("acceptInvitation", "/invitations/accept", {
      payload: TokenPayload,
      success: Data(Joined),
      error: TokenInvalid
    })
  )
  .middleware(IpWrites)
  .middleware(UserSession)
  .annotate(OpenApi.Title, "Account")
{}

/** Judged by the session's right, not by a schema: unknown, malformed and foreign clubs answer alike. */
const club = { clubId: Schema.String }

const member = { ...club, userId: sentId(UserId) }

/** A club, its members and who is invited to become one. */
export class ClubsApi extends HttpApiGroup.make("clubs")
  .add(
    HttpApiEndpoint.get("get", "/", { params: club, success: Data(Club) }),
    HttpApiEndpoint.patch("update", "/", {
      params: club,
      payload: PatchClub,
      success: Data(Club),
      error: SlugTaken
    }).annotate(AllowedRoles, administration),
    HttpApiEndpoint.get("listMembers", "/members", {
      params: club,
      query: PageQuery,
      success: Page(Member),
      error: InvalidCursor
    }),
    HttpApiEndpoint.patch("updateMember", "/members/:userId", {
      params: member,
      payload: PatchMember,
      success: Data(Member),
      error: [Forbidden, LastOwner, NotFound]
    }).annotate(AllowedRoles, administration),
    HttpApiEndpoint.delete("removeMember", "/members/:userId", {
      params: member,
      success: HttpApiSchema.NoContent,
      error: [Forbidden, LastOwner, NotFound]
    }).annotate(AllowedRoles, administration),
    HttpApiEndpoint.get("listInvitations", "/members/invitations", {
      params: club,
      query: PageQuery,
      success: Page(Invitation),
      error: InvalidCursor
    }).annotate(AllowedRoles, administration),
    HttpApiEndpoint.post("invite", "/members/invitations", {
      params: club,
      payload: CreateInvitation,
      success: Data(Invitation).pipe(HttpApiSchema.status(201)),
      error: [Forbidden, AlreadyMember]
    }).annotate(AllowedRoles, administration).middleware(Idempotent),
    HttpApiEndpoint.delete("withdrawInvitation", "/members/invitations/:invitationId", {
      params: { ...club, invitationId: InvitationId },
      success: HttpApiSchema.NoContent,
      error: [Forbidden, NotFound]
    }).annotate(AllowedRoles, administration)
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(OpenApi.Title, "Clubs and members")
{}
