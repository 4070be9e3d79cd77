import { Effect } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import type { Contender } from "./Contender.ts"
import type { Request } from "./requests.ts"

/** Sends one request and answers status and body. */
export const ask = Effect.fn("ask")(function*(contender: Contender, { body, headers, method, path }: Request) {
  const client = yield* HttpClient.HttpClient
  const request = HttpClientRequest.make(method)(`${contender.url}${path}`, { headers })
  const response = yield* client
    .execute(body === undefined ? request : HttpClientRequest.bodyText(request, body, "application/json"))
  return { status: response.status, body: yield* response.text }
})
