import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer, type RequestListener } from "node:http"
import {
  createTurma,
  TurmaConnectionError,
  TurmaError,
  type TurmaOptions,
  TurmaTimeoutError
} from "../../src/sdk/index.ts"
import { listening } from "../harness/Listening.ts"
import { clubId, collected, failureOf, token } from "./Scripted.ts"

/** A client of a server that answers like this over a real connection, and the requests that it got. */
const against = Effect.fnUntraced(function*(listener: RequestListener, options: Partial<TurmaOptions> = {}) {
  const asked: Array<string> = []
  const port = yield* listening(createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? "nobody"}`)
    listener(request, response)
  }))
  return { asked, port, turma: createTurma({ baseUrl: `http://127.0.0.1:${port}`, token, retries: 1, ...options }) }
})

const json = { "content-type": "application/json" }

describe("a server", () => {
  it.effect.each([301, 302, 303, 307, 308])(
    "that leads elsewhere by %i is not followed, and no token goes there",
    (status) =>
      Effect.gen(function*() {
        const other = yield* against((_, response) => void response.end("{}"))
        const { asked, turma } = yield* against((request, response) => {
          response.writeHead(status, { location: `http://127.0.0.1:${other.port}${request.url}` }).end()
        })
        const failure = yield* Effect.promise(() => failureOf(turma.account.me()))
        assert.instanceOf(failure, TurmaError)
        assert.deepStrictEqual([failure.code, failure.status], ["redirected", status])
        assert.deepStrictEqual([asked.length, other.asked], [1, []])
      })
  )

  it.effect.each([
    [200, "unexpected_answer", 1],
    [404, "unexpected_answer", 1],
    [502, "unexpected_answer", 2]
  ] as const)("that answers %i with a page", ([status, code, times]) =>
    Effect.gen(function*() {
      const { asked, turma } = yield* against((_, response) => {
        response.writeHead(status, { "content-type": "text/html", "x-request-id": "of a proxy" }).end("<h1>Hello</h1>")
      })
      const failure = yield* Effect.promise(() => failureOf(turma.account.me()))
      assert.instanceOf(failure, TurmaError)
      assert.deepStrictEqual([failure.code, failure.status, asked.length], [code, status, times])
      assert.notInclude(failure.message, "Hello")
    }))

  it.effect("that answers an error which is none of the contract", () =>
    Effect.gen(function*() {
      const { turma } = yield* against((_, response) => response.writeHead(400, json).end("{\"error\":\"no\"}"))
      const failure = yield* Effect.promise(() => failureOf(turma.account.me()))
      assert.deepStrictEqual(failure instanceof TurmaError && [failure.code, failure.status], [
        "unexpected_answer",
        400
      ])
    }))

  it.effect("that never answers is given up in time", () =>
    Effect.gen(function*() {
      // Counted by the client: a busy server may see a request only after the client has given it up.
      let tries = 0
      const counting: typeof fetch = (input, init) => {
        tries += 1
        return fetch(input, init)
      }
      const { turma } = yield* against(() => {}, { timeout: 50, fetch: counting })
      assert.instanceOf(yield* Effect.promise(() => failureOf(turma.account.me())), TurmaTimeoutError)
      assert.strictEqual(tries, 2)
    }))

  it.effect("that sends a body for ever is given up in time", () =>
    Effect.gen(function*() {
      const { turma } = yield* against((_, response) => {
        response.writeHead(200, json)
        const timer = setInterval(() => response.write(" "), 5)
        response.on("close", () => clearInterval(timer))
      }, { timeout: 100 })
      assert.instanceOf(yield* Effect.promise(() => failureOf(turma.account.me())), TurmaTimeoutError)
    }))

  it.effect.each([
    ["before it answers", (request, response) => {
      request.socket.destroy()
      response.end()
    }],
    ["in the middle of a body of known length", (request, response) => {
      response.writeHead(200, { ...json, "content-length": "1000" }).write(
        "{\"data\":",
        () => request.socket.destroy()
      )
    }],
    ["in the middle of a body of unknown length", (request, response) => {
      response.writeHead(200, json).write("{\"data\":", () => request.socket.destroy())
    }],
    ["at the end of half a body", (_, response) => {
      response.writeHead(200, { ...json, connection: "close" })
      response.end("{\"data\":{\"na")
    }]
  ] satisfies ReadonlyArray<readonly [string, RequestListener]>)(
    "that ends the connection %s",
    ([, listener]) =>
      Effect.gen(function*() {
        const { asked, turma } = yield* against(listener)
        assert.instanceOf(yield* Effect.promise(() => failureOf(turma.account.me())), TurmaConnectionError)
        assert.strictEqual(asked.length, 2)
      })
  )

  it.effect("that is not there", () =>
    Effect.gen(function*() {
      const { port } = yield* Effect.scoped(against(() => {}))
      const turma = createTurma({ baseUrl: `http://127.0.0.1:${port}`, token, retries: 0 })
      const failure = yield* Effect.promise(() => failureOf(turma.account.me()))
      assert.instanceOf(failure, TurmaConnectionError)
      assert.include(failure.message, "ECONNREFUSED")
    }))

  it.effect("whose list has no end", () =>
    Effect.gen(function*() {
      const { asked, turma } = yield* against((_, response) => {
        response.writeHead(200, json).end("{\"data\":[{\"id\":\"1\"}],\"next_cursor\":\"again\"}")
      })
      const failure = yield* Effect.promise(() => failureOf(collected(turma.students.list({ clubId }))))
      assert.strictEqual(failure instanceof TurmaError && failure.code, "cursor_repeated")
      assert.strictEqual(asked.length, 2)
    }))

  it.effect("that asks for a day of patience, in seconds or as a date", () =>
    Effect.gen(function*() {
      for (const asks of [() => "86400", () => new Date(Date.now() + 86_400_000).toUTCString()]) {
        const { asked, turma } = yield* against((_, response) => {
          const body = JSON.stringify({ error: { code: "rate_limited", message: "Later" } })
          response.writeHead(429, { ...json, "retry-after": asks() }).end(body)
        })
        const failure = yield* Effect.promise(() => failureOf(turma.account.me()))
        assert.instanceOf(failure, TurmaError)
        assert.closeTo(failure.retryAfter ?? 0, 86_400, 60)
        assert.deepStrictEqual([failure.code, failure.message, asked.length], ["rate_limited", "Later", 1])
      }
    }))
})
