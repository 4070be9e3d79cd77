import { Context, Effect, Layer, type Redacted } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { Contract } from "./Contract.ts"
import {
  AnySession,
  ClubKeyHolder,
  ClubMember,
  ClubMemberInPerson,
  ClubPerson,
  ClubStudent,
  StudentSession,
  UserSession
} from "./identity/authentication/Authentication.ts"
import { Idempotent } from "./platform/idempotency/Idempotency.ts"

export { OrganizationId } from "./identity/ids/ClubId.ts"
export { Email } from "./platform/http/Text.ts"

/** The address of the service, and the token to call it with. */
export interface ClientOptions {
  /** Where the service is, without `/v1`: `https://turma.example`. */
  readonly baseUrl: string | URL
  /** A session's token, as a sign-in answers it in `access_token`, or a club's key; without one, only open routes answer. */
  readonly token?: string | Redacted.Redacted | undefined
}

const IdempotencyKey = Context.Reference<string | undefined>("turma/Client/IdempotencyKey", {
  defaultValue: () => undefined
})

const IdempotencyLayer = HttpApiMiddleware.layerClient(Idempotent, ({ next, request }) =>
  Effect.flatMap(
    IdempotencyKey,
    (key) => next(key === undefined ? request : HttpClientRequest.setHeader(request, "idempotency-key", key))
  ))

/** Sessions and keys are sent alike, so one token serves every scheme. */
const sessionLayer = (token: ClientOptions["token"]) => {
  const send: HttpApiMiddleware.HttpApiMiddlewareClient<never, never, never> = ({ next, request }) =>
    next(token === undefined ? request : HttpClientRequest.bearerToken(request, token))
  return Layer.mergeAll(
    HttpApiMiddleware.layerClient(AnySession, send),
    HttpApiMiddleware.layerClient(ClubKeyHolder, send),
    HttpApiMiddleware.layerClient(ClubMember, send),
    HttpApiMiddleware.layerClient(ClubMemberInPerson, send),
    HttpApiMiddleware.layerClient(ClubPerson, send),
    HttpApiMiddleware.layerClient(ClubStudent, send),
    HttpApiMiddleware.layerClient(StudentSession, send),
    HttpApiMiddleware.layerClient(UserSession, send)
  )
}

/** The client that `makeClient` answers: the groups of the contract, each with its operations. */
export type TurmaClient = HttpApiClient.ForApi<typeof Contract>

/**
 * A client of every operation of the contract, as `client.<group>.<operation>({ params, query, payload })`. Answers
 * are decoded. Failures are the contract's, and you catch them by their tag. There are two others: a failed connection,
 * and an answer that is not the contract's.
 *
 * ```ts
 * import { Effect, Redacted } from "effect"
 * import { FetchHttpClient } from "effect/http"
 * import { Email, makeClient } from "turma-client"
 *
 * const program = Effect.gen(function*() {
 *   const baseUrl = "https://turma.example"
 *   const open = yield* makeClient({ baseUrl })
 *   const payload = { email: Email.make("ana@school.example"), password: Redacted.make("…") }
 *   const { data: grant } = yield* open.adminAuth.signIn({ payload })
 *
 *   const client = yield* makeClient({ baseUrl, token: grant.access_token })
 *   return yield* client.account.createClub({ payload: { name: "Violão Fácil" } }).pipe(
 *     Effect.catchTag("ValidationFailed", ({ error }) => Effect.logError(error.message))
 *   )
 * }).pipe(Effect.provide(FetchHttpClient.layer))
 * ```
 */
export const makeClient = (
  { baseUrl, token }: ClientOptions
): Effect.Effect<TurmaClient, never, HttpClient.HttpClient> =>
  HttpApiClient.make(Contract, { baseUrl }).pipe(Effect.provide(Layer.merge(sessionLayer(token), IdempotencyLayer)))

/**
 * Sends `Idempotency-Key` with a creating operation, so that repeating it after a lost answer creates nothing twice:
 * `client.account.createClub({ payload }).pipe(withIdempotencyKey("order-1042"), Effect.retry({ times: 3 }))`.
 */
export const withIdempotencyKey = (key: string) => Effect.provideService(IdempotencyKey, key)
