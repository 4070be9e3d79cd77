import { Effect, Option, Schema } from "effect"
import type { OwnAnswer, OwnRequest } from "./InProcess.ts"

// The library keeps a session in its process for every version of the protocol that has `initialize`. Behind a balancer
// the next message may reach another process. So each message gets a session of its own, which ends with it. A client
// never learns its id, and the protocol lets it go on without.

/** Answers one message, as the library does. */
export interface AnswerMessage {
  (request: OwnRequest): Effect.Effect<OwnAnswer>
}

const sessionHeader = "mcp-session-id"
const versionHeader = "mcp-protocol-version"

/** The version of a client without the header, which the next version introduced. */
const versionBeforeHeader = "2025-03-26"

/** The version whose messages stand for themselves. */
const versionWithoutSessions = "2026-07-28"

const decodeInitialize = Schema.decodeUnknownOption(Schema.Struct({ method: Schema.Literal("initialize") }))

const decodeClaim = Schema.decodeUnknownOption(Schema.Struct({
  params: Schema.Struct({
    _meta: Schema.Struct({ "io.modelcontextprotocol/protocolVersion": Schema.Unknown })
  })
}))

const standsForItself = (message: unknown, { headers }: OwnRequest) =>
  headers[versionHeader] === versionWithoutSessions || Option.isSome(decodeClaim(message))

/**
 * True if these are messages that may come together. Only one version has batches, and no message of a batch may begin
 * or name another version.
 */
export const isBatch = (message: unknown, { headers }: OwnRequest): message is ReadonlyArray<unknown> =>
  Array.isArray(message) && message.length > 0 &&
  (headers[versionHeader] ?? versionBeforeHeader) === versionBeforeHeader &&
  !message.some((one) => Option.isSome(decodeInitialize(one)) || Option.isSome(decodeClaim(one)))

const beginning = ({ headers, ...request }: OwnRequest): OwnRequest => {
  const { [versionHeader]: protocolVersion = versionBeforeHeader, ...rest } = headers
  return {
    ...request,
    headers: rest,
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: "initialize",
      method: "initialize",
      params: { protocolVersion, capabilities: {}, clientInfo: { name: "client", version: "0" } }
    })
  }
}

const end = (answerMessage: AnswerMessage, { headers, url }: OwnRequest, id: string | undefined) =>
  id === undefined ? Effect.void : answerMessage({
    method: "DELETE",
    url,
    headers: { accept: headers["accept"] ?? "", [sessionHeader]: id }
  })

const withoutSession = (answer: OwnAnswer): OwnAnswer => ({
  ...answer,
  headers: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => name !== sessionHeader))
})

/** Answers each message by itself, even if another process got the earlier ones. */
export const sessionless = (answerMessage: AnswerMessage) => (request: OwnRequest, message: unknown) => {
  if (standsForItself(message, request)) return answerMessage(request)
  if (Option.isSome(decodeInitialize(message))) {
    return Effect.map(
      Effect.tap(answerMessage(request), ({ headers }) => end(answerMessage, request, headers[sessionHeader])),
      withoutSession
    )
  }
  return Effect.acquireUseRelease(
    Effect.map(answerMessage(beginning(request)), ({ headers }) => headers[sessionHeader]),
    (id) =>
      answerMessage({
        ...request,
        headers: id === undefined ? request.headers : { ...request.headers, [sessionHeader]: id }
      }),
    (id) => end(answerMessage, request, id)
  ).pipe(Effect.map(withoutSession))
}
