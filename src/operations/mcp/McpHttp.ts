import { Context, Effect, Fiber, Layer, Option, References, Scope } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Forbidden } from "../../identity/authentication/Authentication.ts"
import { isObject } from "../../platform/http/document/Schemas.ts"
import { MalformedRequest, PayloadTooLarge } from "../../platform/http/errors.ts"
import { isLight } from "../../platform/http/json/JsonMarks.ts"
import { waitsOutside } from "../../platform/http/request/OutsideWaits.ts"
import { allowedOrigins } from "../../platform/http/server/AllowedOrigins.ts"
import { PublicUrls } from "../../platform/http/ServerSettings.ts"
import { type AgentCaller, CurrentAgentCaller } from "./AgentCaller.ts"
import type { ApiRequest } from "./ApiCall.ts"
import { ServedContract } from "./ContractOperations.ts"
import { NotAcceptable } from "./errors.ts"
import { type HttpApp, inProcess, type OwnAnswer, type OwnRequest } from "./InProcess.ts"
import { decodeJson } from "./Json.ts"
import { rightsIn, rightsRequest } from "./Rights.ts"
import { sessionless } from "./Sessionless.ts"

const path = "/mcp"

/** The address that agents are given. What it does not take, GET and DELETE, the protocol allows to refuse. */
export const mcpRoutes = Effect.succeed([{ method: "POST", path } as const])

/** Whoever is asked for on behalf of all is a message's worth of work: the rest is for other messages. */
const longestBatch = 20

/** What the protocol reads of a message's headers. */
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

/** The service's own origin needs nobody's leave; an agent that is no page has none. */
const originCheck = Effect.gen(function*() {
  const allows = yield* allowedOrigins
  const { api } = yield* PublicUrls
  return (origin: string | undefined) => origin === undefined || origin === api.origin || allows(origin)
}).pipe(Effect.provide(PublicUrls.layer))

const noPage = new Forbidden({
  error: { message: "Pages of this origin may not call the service: ALLOWED_ORIGINS names those that may" }
})

/** What was asked, as the routes of the API are asked it: by the same key, from the same address, under the same id. */
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

/** Whether two messages of a batch have one id: nobody could tell their answers apart, the library neither. */
const hasTwins = (batch: ReadonlyArray<unknown>) => {
  const ids = batch.flatMap((one) => isObject(one) && "id" in one ? [String(one["id"])] : [])
  return new Set(ids).size < ids.length
}

const messageIn = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
  const text = yield* request.text
  if (!isLight(text)) return yield* new PayloadTooLarge()
  const message = Option.getOrUndefined(decodeJson(text))
  if (!Array.isArray(message)) return { text, message }
  if (message.length > longestBatch) {
    return yield* new PayloadTooLarge({ error: { message: `A batch has at most ${longestBatch} messages` } })
  }
  if (hasTwins(message)) {
    return yield* new MalformedRequest({ error: { message: "Each message of a batch must have an id of its own" } })
  }
  return { text, message }
})

/** The library's server with our tools, made when the first agent comes: what it takes to make it, few processes need. */
const makeServer = Effect.fnUntraced(function*({ operations }: ServedContract["Service"]) {
  const { serverLayer } = yield* Effect.promise(() => import("./HttpServerLayer.ts"))
  const services = yield* Layer.build(serverLayer(path, operations()))
  return Context.get(services, HttpRouter.HttpRouter).asHttpEffect()
})

/** `POST /mcp`: the protocol's one address, for whoever presents a key. */
export const McpHttpLayer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const mayAsk = yield* originCheck
  const scope = yield* Effect.scope
  const making = Effect.provideService(makeServer(yield* ServedContract), Scope.Scope, scope)
  const server = yield* Effect.cached(Effect.forkIn(making, scope))
  let api: HttpApp | undefined

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
    const rights = rightsIn(known)
    if (Option.isNone(rights)) return responseOf(known)
    const { message, text } = yield* messageIn(request)
    const caller: AgentCaller = {
      call: (one) => ask(asAgent(one)),
      rights: Effect.succeed(rights.value)
    }
    const app = yield* Effect.flatMap(server, Fiber.join)
    const answerMessage = inProcess(app, Context.add(context, CurrentAgentCaller, caller), request)
    const read = readHeaders.flatMap((name) =>
      request.headers[name] === undefined ? [] : [[name, request.headers[name]]]
    )
    const sent = { method: "POST", url: path, headers: { ...Object.fromEntries(read), accept: both }, body: text }
    // Each request of the API has a limit of its own.
    return responseOf(yield* waitsOutside(sessionless(answerMessage)(sent, message)))
  })

  yield* router.add("POST", path, answer)
}))
