import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  administration,
  AllowedRoles,
  ClubMember,
  ClubMemberInPerson,
  clubPath,
  Forbidden,
  UserSession
} from "../../identity/authentication/Authentication.ts"
import { UserId } from "../../identity/ids/UserId.ts"
import { ClubWrites, IpWrites } from "../../identity/limits/RateLimit.ts"
import { KeyFeature } from "../../identity/people/Scope.ts"
import { TokenInvalid, TokenPayload } from "../../identity/tokens/TokenPayload.ts"
import { AgentTool } from "../../platform/http/AgentTool.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import { MediaUnknown, NotFound, TemporarilyUnavailable } from "../../platform/http/errors.ts"
import { field } from "../../platform/http/Field.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Idempotent } from "../../platform/idempotency/Idempotency.ts"
import { MailLimitReached } from "../caps/MailLimitReached.ts"
import { Club, ClubLimitReached, ClubPatch, CreateClub, SlugTaken } from "./Club.ts"
import { AccentQuery, ShownColors } from "./Face.ts"
import { Me, MePatch } from "./Me.ts"
import {
  AcceptedInvitation,
  AlreadyMember,
  CreateInvitation,
  Invitation,
  InvitationId,
  LastOwner,
  Member,
  MemberPatch
} from "./Member.ts"

/** The own account and its clubs, outside any club (contract, Endpoints 11). */
export class AccountApi extends HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.get("me", "/me", { success: Data(Me) }).annotateMerge(described(
      "Read one's own account and its clubs",
      "The step before everything in a club: an `organization_id` of the answer stands for `clubId` in paths."
    )),
    HttpApiEndpoint.patch("updateMe", "/me", { payload: MePatch, success: Data(Me) })
      .annotateMerge(described(
        "Change one's own name",
        "The name under which members and students of every own club see the person."
      )),
    HttpApiEndpoint.post("createClub", "/clubs", {
      payload: CreateClub,
      success: Data(Club).pipe(HttpApiSchema.status(201)),
      error: [ClubLimitReached, SlugTaken, TemporarilyUnavailable]
    }).annotateMerge(described(
      "Found a club",
      "The person becomes its owner. It starts with a community, a ladder of levels and an assistant. An account founds 20 clubs at most unless the service says otherwise."
    )).middleware(Idempotent),
    HttpApiEndpoint.post("acceptInvitation", "/invitations/accept", {
      payload: TokenPayload,
      success: Data(AcceptedInvitation),
      error: TokenInvalid
    }).annotateMerge(described(
      "Accept an invitation to a club",
      "By the link that was mailed to the address of the account that asks. The link works once, for 7 days."
    ))
  )
  .middleware(IpWrites)
  .middleware(UserSession)
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Account")
  .annotate(OpenApi.Description, "The administrator who asks, and the ways into a club: founding one or being invited")
{}

const member = { ...clubPath, userId: sentId(UserId).pipe(field("The `id` of a member of the club")) }

/** A club, its members and who is invited to become one. */
export class ClubsApi extends HttpApiGroup.make("clubs")
  .add(
    HttpApiEndpoint.get("listMembers", "/members", {
      params: clubPath,
      query: PageQuery,
      success: Page(Member),
      error: InvalidCursor
    }).annotateMerge(described(
      "List the members",
      "Everybody who works for the club, with their role, by the age of their account."
    )),
    HttpApiEndpoint.patch("updateMember", "/members/:userId", {
      params: member,
      payload: MemberPatch,
      success: Data(Member),
      error: [Forbidden, LastOwner, NotFound]
    }).annotateMerge(described(
      "Change a member's role",
      "Takes effect with the member's next request. Nobody gives or takes a role above their own, and a club keeps at least one owner."
    )).annotate(AllowedRoles, administration),
    HttpApiEndpoint.delete("removeMember", "/members/:userId", {
      params: member,
      success: HttpApiSchema.NoContent,
      error: [Forbidden, LastOwner, NotFound]
    }).annotateMerge(described(
      "Remove a member",
      "Their next request in this club is refused; their sessions go on for their other clubs. A club keeps at least one owner."
    )).annotate(AllowedRoles, administration),
    HttpApiEndpoint.get("listInvitations", "/members/invitations", {
      params: clubPath,
      query: PageQuery,
      success: Page(Invitation),
      error: InvalidCursor
    }).annotateMerge(described(
      "List the open invitations",
      "Oldest first, those that were neither accepted nor withdrawn."
    )).annotate(AllowedRoles, administration),
    HttpApiEndpoint.post("invite", "/members/invitations", {
      params: clubPath,
      payload: CreateInvitation,
      success: Data(Invitation).pipe(HttpApiSchema.status(201)),
      error: [Forbidden, AlreadyMember, MailLimitReached]
    }).annotateMerge(described(
      "Invite somebody to become a member",
      "Mails a link that works once, for 7 days. Another invitation of the same address takes the place of the first, whose link ends. Mails to one address and of one club are limited: past that the answer is 429."
    )).annotate(AllowedRoles, administration)
      .middleware(Idempotent),
    HttpApiEndpoint.delete("withdrawInvitation", "/members/invitations/:invitationId", {
      params: { ...clubPath, invitationId: InvitationId.pipe(field("The `id` of an open invitation")) },
      success: HttpApiSchema.NoContent,
      error: [Forbidden, NotFound]
    }).annotateMerge(described("Withdraw an invitation", "Its link stops working at once. Nobody is mailed.")).annotate(
      AllowedRoles,
      administration
    )
  )
  .middleware(ClubWrites)
  .middleware(ClubMemberInPerson)
  .add(
    HttpApiEndpoint.get("get", "/", { params: clubPath, success: Data(Club) }).annotate(AgentTool, {
      name: "club_show",
      fields: "organization_id name slug time_zone locale sign_up_open created_at"
    }).annotateMerge(described(
      "Read the club",
      "Its name, its time zone, its language, whether anyone may sign up, and its face: logo, cover, colour and greeting."
    )).middleware(ClubWrites).middleware(ClubMember),
    HttpApiEndpoint.get("faceColors", "/face/colors", {
      params: clubPath,
      query: AccentQuery,
      success: Data(ShownColors)
    }).annotateMerge(described(
      "Preview the colours of an accent",
      "As the club's pages would show it: darker in the light theme, or lighter in the dark one, until it can be read. Changes nothing."
    )).middleware(ClubWrites).middleware(ClubMember),
    HttpApiEndpoint.patch("update", "/", {
      params: clubPath,
      payload: ClubPatch,
      success: Data(Club),
      error: [MediaUnknown, SlugTaken]
    }).annotateMerge(described(
      "Change the club",
      "Omitted fields keep their values. Another time zone moves the start of the club's day. Daily limits count the day in hand to its end, as it was before. Logo and cover are public: anyone can see them without a session."
    )).annotate(AllowedRoles, administration).middleware(ClubWrites).middleware(ClubMember)
  )
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "clubs")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Clubs and members")
  .annotate(OpenApi.Description, "A club, its members and their roles, and who is invited to become one")
{}
