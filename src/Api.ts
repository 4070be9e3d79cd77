import { HttpApi, OpenApi } from "effect/http-api"
import { AdminAuthApi, PasswordsApi, SessionsApi, StudentAuthApi } from "./auth/Api.ts"
import { AccountApi, ClubsApi } from "./clubs/Api.ts"
import { CommunityApi } from "./community/Api.ts"
import { GamificationApi } from "./gamification/Api.ts"
import { HealthApi } from "./health/Api.ts"
import { polishDocument } from "./http/OpenApiDocument.ts"
import { RequestErrors } from "./http/RequestErrors.ts"
import { NamedRoute } from "./http/RequestLog.ts"
import { version } from "./version.ts"

/** The whole contract. It imports no server code, so a client can import it. */
export class Api extends HttpApi.make("turma")
  .add(
    HealthApi,
    AdminAuthApi,
    StudentAuthApi,
    PasswordsApi,
    SessionsApi,
    AccountApi,
    ClubsApi,
    GamificationApi,
    CommunityApi
  )
  .middleware(RequestErrors)
  .middleware(NamedRoute)
  .prefix("/v1")
  .annotate(HttpApi.PayloadParseOptions, { errors: "all", onExcessProperty: "error" })
  .annotate(OpenApi.Title, "Turma")
  .annotate(OpenApi.Version, version)
  .annotate(
    OpenApi.Description,
    "The API of a learning-community platform: clubs that administrators run and students learn in."
  )
  .annotate(
    OpenApi.Transform,
    polishDocument({
      userSession: "An administrator's session, from `POST /v1/auth/admin/sign-in`",
      studentSession: "A student's session, from `POST /v1/auth/sign-in`"
    })
  )
{}
