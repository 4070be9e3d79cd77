import { Context, Effect, Fiber, Layer, Option, References, Scope } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Forbidden } from "../../identity/authentication/Authentication.ts"
import { WriteCounters } from "../../identity/limits/WriteCounters.ts"
import { jsonText } from "../../platform/http/JsonText.ts"
import { waitsOutside } from "../../platform/http/request/OutsideWaits.ts"
import { allowedOrigins } from "../../platform/http/server/AllowedOrigins.ts"
import { PublicUrls } from "../../platform/http/ServerSettings.ts"
import { type AgentCaller, CurrentAgentCaller } from "./AgentCaller.ts"
import type { ApiRequest } from "./ApiCall.ts"
import { checkBatch, inTurn } from "./Batches.ts"
import { ServedContract } from "./ContractOperations.ts"
import { NotAcceptable } from "./errors.ts"
import { type HttpApp, inProcess, type OwnAnswer, type OwnRequest } from "./InProcess.ts"
import { decodeJson } from "./Json.ts"
import { withPlainErrors } from "./JsonRpcErrors.ts"
import { makeKeptLists } from "./Lists.ts"
import { rightsIn, rightsRequest } from "./Rights.ts"
import { isBatch, sessionless } from "./Sessionless.ts"
import { toolSetIn } from "./ToolSets.ts"

const path = "/mcp"

/** The address for agents. It refuses GET and DELETE, as the protocol allows. */
export const mcpRoutes = Effect.succeed([{ method: "POST", path } as const])

/** The headers of a message that the protocol reads. */
const readHeaders = ["content-type", "mcp-protocol-version", "mcp-method", "mcp-name"]

const both = "application/json, text/event-stream"

/** The library wants both types named; a client that takes anything takes both. */
const acceptsBoth = (accept = "*/*") =>
  accept.includes("*/*") || both.split(", ").every((type) => accept.toLowerCase().includes(type))

const responseOf = ({ body, headers, status }: OwnAnswer) => {
  const { "content-type": contentType, "content-length": _, ...rest } = headers
  return body === ""
    ? HttpServerResponse.empty({ status, headers: rest })
    : HttpServerResponse.text(body, { status, headers: rest, contentType: contentType ?? "application/json" })
}

const queryOf = ({ url }: HttpServerRequest.HttpServerRequest) => new URLSearchParams(/\?.*$/s.exec(url)?.[0])

/** The service's own origin needs no permission; an agent outside of a browser sends no origin. */
const originCheck = Effect.gen(function*() {
  const allows = yield* allowedOrigins
  const { api } = yield* PublicUrls
  return (origin: string | undefined) => origin === undefined || origin === api.origin || allows(origin)
}).pipe(Effect.provide(PublicUrls.layer))

const noPage = new Forbidden({
  error: { message: "Pages of this origin may not call the service: ALLOWED_ORIGINS names those that may" }
})

/** The request as the routes of the API get it: with the same key, from the same address, under the same id. */
const asTheAgent = ({ headers }: HttpServerRequest.HttpServerRequest, requestId: unknown) => {
  const { authorization, "x-forwarded-for": forwarded } = headers
  const passed = {
    ...(authorization === undefined ? {} : { authorization }),
    ...(forwarded === undefined ? {} : { "x-forwarded-for": forwarded }),
    ...(typeof requestId === "string" ? { "x-request-id": requestId } : {})
  }
  return ({ body, headers: own, method, url }: ApiRequest): OwnRequest => ({
    method,
    url,
    headers: { ...own, ...passed, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body })
  })
}

const messageIn = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
  const text = yield* jsonText(new Uint8Array(yield* request.arrayBuffer))
  const message = Option.getOrUndefined(decodeJson(text))
  if (Array.isArray(message)) yield* checkBatch(message)
  return { text, message }
})

/** The library's server with our tools, made when the first agent comes: what it takes to make it, few processes need. */
const makeServer = Effect.fnUntraced(function*({ operations }: ServedContract["Service"]) {
  const { serverLayer } = yield* Effect.promise(() => import("./HttpServerLayer.ts"))
  const services = yield* Layer.build(serverLayer(path, operations()))
  return Context.get(services, HttpRouter.HttpRouter).asHttpEffect()
})

/** `POST /mcp`: the protocol's one address, for any caller with a key. */
export const McpHttpLayer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const mayAsk = yield* originCheck
  const scope = yield* Effect.scope
  const making = Effect.provideService(makeServer(yield* ServedContract), Scope.Scope, scope)
  const server = yield* Effect.cached(Effect.forkIn(making, scope))
  const counters = yield* WriteCounters
  const listed = makeKeptLists()
  let api: HttpApp | undefined

  // A request that cannot be counted passes, as at other addresses that do not check credentials.
  const count = (key_id: string, messages: number) =>
    Effect.catchTag(counters.count("mcp", key_id, messages), "CounterUnavailable", () => Effect.void)

  const answer = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
    const { accept, origin } = request.headers
    if (!mayAsk(origin)) return yield* noPage
    if (!acceptsBoth(accept)) return yield* new NotAcceptable()
    const context = yield* Effect.context<never>()
    const { request_id } = yield* References.CurrentLogAnnotations
    // Once all routes are there.
    api ??= router.asHttpEffect()
    const ask = inProcess(api, context, request)
    const asAgent = asTheAgent(request, request_id)
    const known = yield* ask(asAgent(rightsRequest))
    const found = rightsIn(known)
    if (Option.isNone(found)) return responseOf(known)
    const rights = { ...found.value, tools: yield* toolSetIn(queryOf(request)) }
    // To read a body costs as much where it is refused.
    yield* count(rights.key_id, 1)
    const { message, text } = yield* messageIn(request)
    if (Array.isArray(message) && message.length > 1) yield* count(rights.key_id, message.length - 1)
    const caller: AgentCaller = {
      call: (one) => ask(asAgent(one)),
      rights: Effect.succeed(rights)
    }
    const app = yield* Effect.flatMap(server, Fiber.join)
    const askLibrary = inProcess(app, Context.add(context, CurrentAgentCaller, caller), request)
    const answerMessage = (own: OwnRequest) =>
      Effect.map(askLibrary(own), (made) => ({ ...made, body: withPlainErrors(made.body) }))
    const read = readHeaders.flatMap((name) =>
      request.headers[name] === undefined ? [] : [[name, request.headers[name]]]
    )
    const sent = { method: "POST", url: path, headers: { ...Object.fromEntries(read), accept: both }, body: text }
    const answerOne = (one: unknown, body: string) =>
      listed(rights, (own) => sessionless(answerMessage)(own, one))({ ...sent, body }, one)
    const answered = isBatch(message, sent)
      ? inTurn(message, (one) => answerOne(one, JSON.stringify(one)))
      : answerOne(message, text)
    // Each request of the API has a limit of its own.
    return responseOf(yield* waitsOutside(answered))
  })

  yield* router.add("POST", path, answer)
}))
