import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AuthBodyLimit } from "../../identity/authentication/AuthBodyLimit.ts"
import { clubPath, ClubStudent } from "../../identity/authentication/Authentication.ts"
import { CredentialPosts, StudentWrites } from "../../identity/limits/RateLimit.ts"
import { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { TokenInvalid, TokenPayload } from "../../identity/tokens/TokenPayload.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { field } from "../../platform/http/Field.ts"
import { NoStore } from "../../platform/http/NoStore.ts"
import { Data } from "../../platform/http/Page.ts"

const Mailed = Schema.Struct({
  accepted: Schema.Literal(true).pipe(field("Always true: the mail says what happens next"))
})

const Requested = Schema.Struct({
  requested: Schema.Literal(true).pipe(field("Always true: the staff has the request, and decides on it"))
})

/** The request of students for their own removal (http-surface, classroom). Only the staff removes. */
export class RemovalRequestsApi extends HttpApiGroup.make("removalRequests")
  .add(
    HttpApiEndpoint.post("ask", "/clubs/:clubId/classroom/me/removal", {
      params: clubPath,
      success: Data(Mailed).pipe(HttpApiSchema.status(202)),
      error: [NotFound, StudentRemoved]
    }).annotateMerge(described(
      "Ask to be removed from a club",
      "Mails a link to one's own address, which `confirm` takes, once and for 24 hours. Until then nobody else hears of it. An address gets a few such mails in an hour, and the answer does not tell"
    )).middleware(StudentWrites).middleware(ClubStudent),
    HttpApiEndpoint.post("confirm", "/auth/removal", {
      payload: TokenPayload,
      success: Data(Requested),
      error: TokenInvalid
    }).annotateMerge(described(
      "Confirm the request to be removed",
      "Uses the link up and opens a support conversation in which the student asks for it, unless an earlier one is not closed. Nothing is removed yet: the staff does that"
    )).middleware(CredentialPosts).middleware(AuthBodyLimit)
  )
  .middleware(NoStore)
  .annotate(GroupAudience, "classroom")
  .annotate(OpenApi.Title, "Requests for removal")
  .annotate(OpenApi.Description, "Students who ask to be removed from a club")
{}
