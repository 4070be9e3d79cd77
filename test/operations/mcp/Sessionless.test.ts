import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import type { OwnAnswer, OwnRequest } from "../../../src/operations/mcp/InProcess.ts"
import { sessionless } from "../../../src/operations/mcp/Sessionless.ts"

/** Keeps sessions as the library does, and gives the test's answer to a message. */
const library = (answered: Effect.Effect<OwnAnswer> = Effect.succeed({ status: 200, headers: {}, body: "" })) => {
  const sessions = new Set<string>()
  const received: Array<OwnRequest> = []
  const answer = (request: OwnRequest): Effect.Effect<OwnAnswer> => {
    received.push(request)
    const { body = "", headers, method } = request
    const session = headers["mcp-session-id"]
    if (method === "DELETE") {
      sessions.delete(session ?? "")
      return Effect.succeed({ status: 204, headers: {}, body: "" })
    }
    if (!body.includes(`"initialize"`)) return answered
    const made = `session ${received.length}`
    sessions.add(made)
    return Effect.succeed({ status: 200, headers: { "mcp-session-id": made }, body: "{}" })
  }
  return { answer: sessionless(answer), sessions, received }
}

const requestOf = (message: object, headers: Record<string, string> = {}): OwnRequest => ({
  method: "POST",
  url: "/mcp",
  headers: { accept: "*/*", ...headers },
  body: JSON.stringify(message)
})

const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
const version = { "mcp-protocol-version": "2025-06-18" }

describe("A message", () => {
  it.effect("that begins gets an answer without a session, and none stays", () =>
    Effect.gen(function*() {
      const { answer, sessions } = library()
      const message = { jsonrpc: "2.0", id: 1, method: "initialize", params: {} }
      const { headers, status } = yield* answer(requestOf(message), message)
      assert.deepStrictEqual([status, headers, sessions.size], [200, {}, 0])
    }))

  it.effect("of any other kind gets a session of its version, which ends with it", () =>
    Effect.gen(function*() {
      const { answer, received, sessions } = library()
      yield* answer(requestOf(ping, version), ping)
      assert.deepStrictEqual(received.map(({ headers, method }) => [method, headers["mcp-session-id"]]), [
        ["POST", undefined],
        ["POST", "session 1"],
        ["DELETE", "session 1"]
      ])
      assert.include(received[0]?.body, `"protocolVersion":"2025-06-18"`)
      assert.strictEqual(sessions.size, 0)
    }))

  it.effect("leaves none where it fails or is given up", () =>
    Effect.gen(function*() {
      const failing = library(Effect.die(new Error("It failed")))
      yield* Effect.exit(failing.answer(requestOf(ping, version), ping))
      const waiting = library(Effect.never)
      const fiber = yield* Effect.forkChild(waiting.answer(requestOf(ping, version), ping), { startImmediately: true })
      assert.strictEqual(waiting.sessions.size, 1)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual([failing.sessions.size, waiting.sessions.size], [0, 0])
    }))

  it.effect("without a version is of the last one that sent none", () =>
    Effect.gen(function*() {
      const { answer, received } = library()
      yield* answer(requestOf(ping), ping)
      assert.include(received[0]?.body, `"protocolVersion":"2025-03-26"`)
    }))

  it.effect("that stands for itself gets no session", () =>
    Effect.gen(function*() {
      const { answer, received } = library()
      yield* answer(requestOf(ping, { "mcp-protocol-version": "2026-07-28" }), ping)
      const claiming = { ...ping, params: { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } } }
      yield* answer(requestOf(claiming), claiming)
      assert.lengthOf(received, 2)
    }))
})
