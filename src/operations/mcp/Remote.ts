import { Duration, Effect, Option, type Redacted } from "effect"
import { HttpClient, HttpClientRequest, HttpMethod } from "effect/http"
import type { Scope } from "../../identity/people/Scope.ts"
import { bodyText } from "../../platform/text/Utf8.ts"
import type { AgentCaller } from "./AgentCaller.ts"
import { ApiUnreachable, type CallApi } from "./ApiCall.ts"
import { rightsIn, rightsRequest } from "./Rights.ts"

/** Where a service is, and the key that is presented to it. */
export interface RemoteService {
  /** Without a slash at its end. */
  readonly url: string
  readonly key: Redacted.Redacted
  /** The wanted club; by default the key's own. */
  readonly club_id: Option.Option<string>
}

/** No request of the API takes longer to be answered. */
const patience = Duration.seconds(30)

/** For so long what the key may do is not asked again: a list of tools asks once for each of them. */
const rightsAge = Duration.seconds(5)

const requestTo = (
  { key, url: base }: RemoteService,
  { body, headers, method, url }: Parameters<CallApi>[0]
) => {
  const known = HttpMethod.isHttpMethod(method) ? method : "GET"
  const request = HttpClientRequest.make(known)(`${base}${url}`).pipe(
    HttpClientRequest.setHeaders(headers),
    HttpClientRequest.bearerToken(key)
  )
  return body === undefined ? request : HttpClientRequest.bodyText(request, body, "application/json")
}

/** The caller of tools at a service that runs elsewhere: all tools of the key, or the tools of these areas alone. */
export const remoteCaller = Effect.fnUntraced(function*(
  service: RemoteService,
  tools: ReadonlyArray<Scope> | null = null
) {
  const client = yield* HttpClient.HttpClient
  const unreachable = new ApiUnreachable({ message: `The service at ${service.url} cannot be reached: try again` })
  const call: CallApi = (request) =>
    client.execute(requestTo(service, request)).pipe(
      Effect.flatMap((response) =>
        Effect.map(bodyText(response), (body) => ({ status: response.status, headers: response.headers, body }))
      ),
      Effect.timeout(patience),
      Effect.mapError(() => unreachable)
    )
  const refused = new ApiUnreachable({ message: `The service at ${service.url} does not take the key` })
  const ask = Effect.flatMap(call(rightsRequest), (answer) =>
    Option.match(rightsIn(answer), {
      // Any other status, from a busy service or from another program, says nothing about the key.
      onNone: () => Effect.fail([401, 403].includes(answer.status) ? refused : unreachable),
      onSome: (rights) =>
        Option.exists(service.club_id, (club) => club.toLowerCase() !== rights.organization_id)
          ? Effect.fail(new ApiUnreachable({ message: "The key is another club's than the one that is asked for" }))
          : Effect.succeed({ ...rights, tools })
    }))
  return { call, rights: yield* Effect.cachedWithTTL(ask, rightsAge) } satisfies AgentCaller
})
