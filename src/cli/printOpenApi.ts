import { Console, Effect } from "effect"
import { OpenApi } from "effect/http-api"
import { Api } from "../Api.ts"

/** The document that the service has at `/openapi.json`, for people to read. */
export const printOpenApi = Effect.suspend(() => Console.log(JSON.stringify(OpenApi.fromApi(Api), undefined, 2)))
