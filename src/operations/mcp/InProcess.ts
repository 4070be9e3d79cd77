import { Cause, Context, Effect, Exit, Fiber, identity, type Scope } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { TemporarilyUnavailable } from "../../platform/http/errors.ts"
import { withUnreadResponse } from "../../platform/patches/NodeRequest.ts"
import { ownText } from "../../platform/text/Utf8.ts"

/** A request that comes from no socket. */
export interface OwnRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Its answer, all of it. */
export interface OwnAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Routes with their middleware: what they are served as. */
export type HttpApp = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  unknown,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

const requestOf = (
  { body, headers, method, url }: OwnRequest,
  { peerAddress, remoteAddress }: HttpServerRequest.HttpServerRequest
) => {
  const content = body === undefined ? {} : { body }
  // Whatever host it names, nobody reads it.
  const made = HttpServerRequest.fromWeb(new Request(new URL(url, "http://localhost"), { method, headers, ...content }))
  return withUnreadResponse(made.modify({ peerAddress, remoteAddress }))
}

const readAll = (
  response: HttpServerResponse.HttpServerResponse,
  context: Context.Context<never>
): Effect.Effect<OwnAnswer> => {
  const { body, headers, status } = response
  if (body._tag === "Uint8Array") return Effect.succeed({ status, headers, body: ownText(body.body) })
  return Effect.promise(async () => {
    const web = HttpServerResponse.toWeb(response, { context })
    return { status, headers: Object.fromEntries(web.headers), body: ownText(new Uint8Array(await web.arrayBuffer())) }
  })
}

const unavailable = new TemporarilyUnavailable()

/** Of a request that its routes gave up, as they would have answered it on a socket. */
const givenUp: OwnAnswer = {
  status: 503,
  headers: {},
  body: JSON.stringify({ error: { code: unavailable.error.code, message: unavailable.error.message } })
}

/**
 * Asks routes without a socket, on behalf of the received request: from its address, in its context, by all middleware.
 * It ends with the caller's fiber.
 */
export const inProcess =
  (app: HttpApp, context: Context.Context<never>, received: HttpServerRequest.HttpServerRequest) =>
  (request: OwnRequest): Effect.Effect<OwnAnswer> =>
    Effect.gen(function*() {
      let answer: OwnAnswer | undefined
      const handled = HttpEffect.toHandled(
        app,
        (_, response) => Effect.map(readAll(response, context), (read) => void (answer = read)),
        identity
      )
      // A fiber of its own, since its routes interrupt the one that they run in when they give up.
      const fiber = yield* Effect.forkChild(Effect.updateContext(handled, (own: Context.Context<never>) =>
        own.pipe(
          Context.merge(context),
          Context.add(HttpServerRequest.HttpServerRequest, requestOf(request, received))
        )))
      const exit = yield* Effect.onInterrupt(Fiber.await(fiber), () => Fiber.interrupt(fiber))
      if (answer !== undefined) return answer
      return Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
        ? givenUp
        : yield* Effect.die(new Error("A request was not answered", { cause: exit }))
    })
