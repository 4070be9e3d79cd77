import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AllowedRoles, ClubMember, clubPath, contentStaff } from "../auth/Authentication.ts"
import { NotFound } from "../http/errors.ts"
import { Idempotent } from "../http/Idempotency.ts"
import { Data } from "../http/Page.ts"
import { ClubWrites } from "../limits/RateLimit.ts"
import {
  Community,
  CommunityPatch,
  CreateSpace,
  Space,
  SpaceId,
  SpaceLimitReached,
  SpaceOrder,
  SpaceOrderInvalid,
  SpacePatch
} from "./Community.ts"

const space = { ...clubPath, spaceId: SpaceId }

/** The club's community and its spaces, as staff keeps them (contract, Community and Endpoints 2). */
export class CommunityApi extends HttpApiGroup.make("community")
  .add(
    HttpApiEndpoint.get("read", "/community", { params: clubPath, success: Data(Community) }).annotate(
      OpenApi.Summary,
      "Read the community and its spaces"
    ),
    HttpApiEndpoint.patch("update", "/community", {
      params: clubPath,
      payload: CommunityPatch,
      success: Data(Community)
    }).annotate(OpenApi.Summary, "Change, publish or unpublish the community").annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.post("createSpace", "/community/spaces", {
      params: clubPath,
      payload: CreateSpace,
      success: Data(Space).pipe(HttpApiSchema.status(201)),
      error: SpaceLimitReached
    }).annotate(OpenApi.Summary, "Add a space").annotate(AllowedRoles, contentStaff).middleware(Idempotent),
    HttpApiEndpoint.put("orderSpaces", "/community/spaces/order", {
      params: clubPath,
      payload: SpaceOrder,
      success: Data(Community),
      error: SpaceOrderInvalid
    }).annotate(OpenApi.Summary, "Put the spaces in another order").annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.patch("updateSpace", "/community/spaces/:spaceId", {
      params: space,
      payload: SpacePatch,
      success: Data(Space),
      error: NotFound
    }).annotate(OpenApi.Summary, "Change a space").annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.delete("archiveSpace", "/community/spaces/:spaceId", {
      params: space,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotate(OpenApi.Summary, "Archive a space").annotate(AllowedRoles, contentStaff)
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(OpenApi.Title, "Community")
  .annotate(OpenApi.Description, "The one community of a club and its spaces, as staff keeps them")
{}
