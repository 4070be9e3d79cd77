import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AuthBodyLimit } from "../../identity/authentication/AuthBodyLimit.ts"
import {
  administration,
  AllowedRoles,
  ClubKeyHolder,
  ClubMemberInPerson,
  clubPath,
  Forbidden
} from "../../identity/authentication/Authentication.ts"
import { ClubKeyId } from "../../identity/ids/ClubKeyId.ts"
import { ClubWrites, CredentialPosts, IpWrites } from "../../identity/limits/RateLimit.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { field } from "../../platform/http/Field.ts"
import { NoStore } from "../../platform/http/NoStore.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Idempotent } from "../../platform/idempotency/Idempotency.ts"
import {
  ClubKey,
  ClubKeyWithToken,
  CreateClubKey,
  ExpiresInPast,
  KeyEnded,
  KeyLimitReached,
  KeyRotationLimitReached,
  OwnKey,
  PatchClubKey
} from "./ClubKey.ts"
import {
  ApprovedDevice,
  ApproveDevice,
  AuthorizationPending,
  BeginDevice,
  DeviceCodeInvalid,
  DeviceKey,
  DeviceLogin,
  DeviceToken
} from "./Device.ts"

const one = { ...clubPath, keyId: sentId(ClubKeyId).pipe(field("A key of the club")) }

/** The keys of a club, which people alone see to. */
export class KeysApi extends HttpApiGroup.make("keys")
  .add(
    HttpApiEndpoint.get("list", "/", {
      params: clubPath,
      query: PageQuery,
      success: Page(ClubKey),
      error: InvalidCursor
    }).annotateMerge(described(
      "List the keys",
      "Oldest first, with when and from where each was last used. Those that have ended stay in the list for 91 days, a day longer than in the audit log."
    )).annotate(AllowedRoles, administration),
    HttpApiEndpoint.post("create", "/", {
      params: clubPath,
      payload: CreateClubKey,
      success: Data(ClubKeyWithToken).pipe(HttpApiSchema.status(201)),
      error: [ExpiresInPast, Forbidden, KeyLimitReached]
    }).annotateMerge(described(
      "Make a key",
      "With a role, with scopes or both. Its token is in this answer alone, and in the same answer again where an `Idempotency-Key` repeats the request. The key acts for its maker and may never do more than they may. It stops working once they leave the club, until another administrator takes it over."
    )).annotate(AllowedRoles, administration).middleware(Idempotent),
    HttpApiEndpoint.get("get", "/:keyId", { params: one, success: Data(ClubKey), error: NotFound })
      .annotateMerge(described("Read a key", "Without its token, which is shown once and not kept.")).annotate(
        AllowedRoles,
        administration
      ),
    HttpApiEndpoint.patch("update", "/:keyId", {
      params: one,
      payload: PatchClubKey,
      success: Data(ClubKey),
      error: [ExpiresInPast, KeyEnded, NotFound]
    }).annotateMerge(described(
      "Change a key's name, networks or end",
      "Takes effect with its next request. Its role or scopes stay: make another key for another right."
    )).annotate(AllowedRoles, administration),
    HttpApiEndpoint.post("rotate", "/:keyId/rotate", {
      params: one,
      success: Data(ClubKeyWithToken),
      error: [KeyEnded, KeyRotationLimitReached, NotFound]
    }).annotateMerge(described(
      "Give a key a new token",
      "The new token is in this answer alone, and in the same answer again where an `Idempotency-Key` repeats the request. The one before works for 24 hours more: revoke the key where that is too long."
    )).annotate(AllowedRoles, administration).middleware(Idempotent),
    HttpApiEndpoint.post("adopt", "/:keyId/adopt", {
      params: one,
      success: Data(ClubKey),
      error: [Forbidden, KeyEnded, NotFound]
    }).annotateMerge(described(
      "Take over a key",
      "From now on it acts for the caller, with the same token, role or scopes. Use it for a key whose holder leaves or has left the club."
    )).annotate(AllowedRoles, administration),
    HttpApiEndpoint.post("approveDevice", "/devices", {
      params: clubPath,
      payload: ApproveDevice,
      success: Data(ApprovedDevice),
      error: [DeviceCodeInvalid, Forbidden]
    }).annotateMerge(described(
      "Let a terminal in",
      "Send the code that it shows: it gets a key of the club with this role, which acts for the caller. Only for a terminal of your own: anyone with the code comes in."
    )).annotate(AllowedRoles, administration),
    HttpApiEndpoint.delete("revoke", "/:keyId", {
      params: one,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotateMerge(described(
      "Revoke a key",
      "Ends it at once and for good, with all its tokens. Doing it again changes nothing."
    )).annotate(AllowedRoles, administration)
  )
  .middleware(NoStore)
  .middleware(ClubWrites)
  .middleware(ClubMemberInPerson)
  .prefix("/clubs/:clubId/keys")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Keys")
  .annotate(
    OpenApi.Description,
    "Keys with which a club's own servers, terminals and agents come in, instead of a person's session"
  )
{}

/** Terminals that ask for a key while an administrator lets them in elsewhere. */
export class DevicesApi extends HttpApiGroup.make("devices")
  .add(
    HttpApiEndpoint.post("begin", "/", {
      payload: BeginDevice,
      success: Data(DeviceLogin).pipe(HttpApiSchema.status(201))
    }).annotateMerge(described(
      "Begin to let a terminal in",
      "The terminal, which needs no browser, shows the code and the page where an administrator enters it, and asks for its key until then. It gets nothing before that."
    )),
    HttpApiEndpoint.post("redeem", "/token", {
      payload: DeviceToken,
      success: Data(DeviceKey),
      error: [AuthorizationPending, DeviceCodeInvalid, KeyLimitReached]
    }).annotateMerge(described(
      "Fetch a terminal's key",
      "Answers 409 `authorization_pending` until an administrator has let the terminal in, and the key once. Not more often than `interval_seconds` says: these requests count against the address."
    ))
  )
  .middleware(CredentialPosts)
  .middleware(AuthBodyLimit)
  .middleware(NoStore)
  .prefix("/auth/device")
  .annotate(GroupAudience, "machines")
  .annotate(OpenApi.Title, "Terminals")
  .annotate(OpenApi.Description, "How a program without a browser gets a key, while an administrator lets it in")
{}

/** The key that asks. */
export class OwnKeyApi extends HttpApiGroup.make("ownKey")
  .add(
    HttpApiEndpoint.get("get", "/key", { success: Data(OwnKey) }).annotateMerge(described(
      "Read the key that asks",
      "Its club, its rights and its end. For a key of a club alone: a session asks `GET /v1/auth/session`."
    )),
    HttpApiEndpoint.delete("revoke", "/key", { success: HttpApiSchema.NoContent }).annotateMerge(described(
      "Revoke the key that asks",
      "Ends it at once and for good, with all its tokens, whatever its role or scopes. Use it for a program that has finished, or a key that somebody may have seen."
    )).middleware(IpWrites)
  )
  .middleware(NoStore)
  .middleware(ClubKeyHolder)
  .annotate(GroupAudience, "machines")
  .annotate(OpenApi.Title, "Own key")
  .annotate(OpenApi.Description, "A key's questions about itself")
{}
