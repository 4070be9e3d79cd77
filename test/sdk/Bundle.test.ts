import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { createContext, runInContext } from "node:vm"
import { Webhook } from "standardwebhooks"
import { eventTypes } from "../../src/events/EventTypes.ts"
import { listening } from "../harness/Listening.ts"
import { bundled, compressedSize } from "./Bundle.ts"

const readme = readFileSync(new URL("../../src/sdk/README.md", import.meta.url), "utf8")

describe("the bundle", () => {
  it("imports nothing, and weighs what the README says, below 15 KB compressed", async () => {
    const { code, imports } = await bundled("esm")
    assert.deepStrictEqual(imports, [])
    const [, minified, compressed] = /minified ([\d.]+) kB, compressed ([\d.]+) kB/.exec(readme) ?? []
    assert.closeTo(code.length / 1000, Number(minified), 2)
    assert.closeTo(compressedSize(code) / 1000, Number(compressed), 1)
    assert.isBelow(compressedSize(code), 15_000)
  })

  it("names nothing of Node", async () => {
    const { code } = await bundled("esm", false)
    assert.notMatch(code, /\bnode:|\brequire\(|\bprocess\b|\bBuffer\b|\bglobal\b|__dirname/)
  })
})

/** Only the globals that every runtime of the web has. */
const web = () => ({
  AbortController,
  AbortSignal,
  atob,
  clearTimeout,
  crypto,
  fetch,
  performance,
  setTimeout,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams
})

const json = { "content-type": "application/json" }

/** A service with a few answers. */
const service = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost")
  if (pathname.endsWith("/stream")) {
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.end("id: 3\nevent: message.delta\ndata: {\"text\":\"Com\"}\n\nevent: message.failed\ndata: {}\n\n")
  } else if (pathname.endsWith("/students") && request.method === "GET") {
    const isFirst = searchParams.get("cursor") === null
    response.writeHead(200, json)
    response.end(JSON.stringify({ data: [{ id: isFirst ? "1" : "2" }], next_cursor: isFirst ? "next" : null }))
  } else {
    response.writeHead(409, { ...json, "x-request-id": "abc" })
    response.end(JSON.stringify({ error: { code: "student_exists", message: "There is one" } }))
  }
})

const program = `(async () => {
  const { createTurma, TurmaError, verifyWebhook } = TurmaSdk
  const turma = createTurma({ baseUrl, token: "a" })
  const ids = []
  for await (const { id } of turma.students.list({ clubId: "1" })) ids.push(id)
  const told = []
  for await (const { event } of turma.ask.stream({ clubId: "1", messageId: "1" })) told.push(event)
  const failure = await turma.students.create({ clubId: "1", body: {} }).catch((error) => error)
  const { type } = await verifyWebhook({ secret, headers: JSON.parse(headers), body })
  return JSON.stringify([ids, told, failure instanceof TurmaError, failure.code, failure.requestId, type])
})()`

describe("a runtime with nothing but the web", () => {
  it.effect("calls, lists, follows and verifies", () =>
    Effect.gen(function*() {
      const port = yield* listening(service)
      const { code } = yield* Effect.promise(() => bundled("iife"))
      const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`
      const body = JSON.stringify(eventTypes[0]?.example)
      const at = new Date()
      const headers = JSON.stringify({
        "webhook-id": "1",
        "webhook-timestamp": `${Math.floor(at.getTime() / 1000)}`,
        "webhook-signature": new Webhook(secret).sign("1", at, body)
      })
      const context = createContext({ ...web(), baseUrl: `http://127.0.0.1:${port}`, secret, headers, body })
      runInContext(code, context)
      const said: unknown = yield* Effect.promise(() => Promise.resolve(runInContext(program, context)))
      assert.deepStrictEqual(JSON.parse(String(said)), [
        ["1", "2"],
        ["message.delta", "message.failed"],
        true,
        "student_exists",
        "abc",
        eventTypes[0]?.type
      ])
    }))
})
