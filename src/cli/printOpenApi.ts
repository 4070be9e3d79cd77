import { Console, Effect } from "effect"
import { OpenApi } from "effect/http-api"
import { Api } from "../Api.ts"
import { servedAt } from "../platform/http/document/Servers.ts"
import { PublicUrls } from "../platform/http/ServerSettings.ts"

/** The document that the service has at `/openapi.json`, for people to read. */
export const printOpenApi = Effect.flatMap(
  PublicUrls,
  ({ api }) => Console.log(JSON.stringify(OpenApi.fromApi(servedAt(Api, api)), undefined, 2))
).pipe(Effect.provide(PublicUrls.layer))
