import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { createTurma, TurmaConnectionError, TurmaError, TurmaTimeoutError } from "../../src/sdk/index.ts"
import { listening } from "../harness/Listening.ts"
import { clubId, collected, failureOf, refusal, scripted } from "./Scripted.ts"

const delta = (id: string, text: string) => `id: ${id}\nevent: message.delta\ndata: ${JSON.stringify({ text })}\n\n`
const canceled = (id: string) => `id: ${id}\nevent: message.canceled\ndata: {"message":{"content":"Com"}}\n\n`

const stream = (text: string) => new Response(text, { headers: { "content-type": "text/event-stream; charset=utf-8" } })

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

const params = { clubId, messageId: "1" }

describe("a stream", () => {
  it("is its events until the last, each with its data parsed", async () => {
    const { sent, turma } = scripted([stream(delta("3", "Com") + canceled("3") + delta("9", "late"))])
    assert.deepStrictEqual<unknown>(await collected(turma.ask.stream(params)), [
      { id: "3", event: "message.delta", data: { text: "Com" } },
      { id: "3", event: "message.canceled", data: { message: { content: "Com" } } }
    ])
    assert.strictEqual(sent[0]?.headers["accept"], "text/event-stream")
    assert.isTrue(sent[0]?.signal.aborted)
  })

  it("goes on after the last event where its connection ends", async () => {
    const { sent, turma } = scripted([stream(delta("3", "Com")), stream(": nothing\n\n"), stream(canceled("3"))])
    const events =
      await collected(turma.GET("/v1/clubs/{clubId}/classroom/ask/messages/{messageId}/stream", { path: params }, {
        lastEventId: "0"
      }))
    assert.deepStrictEqual(events.map(({ event }) => event), ["message.delta", "message.canceled"])
    assert.deepStrictEqual(sent.map(({ headers }) => headers["last-event-id"]), ["0", "3", "3"])
  })

  it.each([
    ["nothing", ""],
    ["what has been told", delta("3", "Com")]
  ])("is given up where every connection brings %s", async (_, text) => {
    const { sent, turma } = scripted([stream(text)], { retries: 2 })
    const failure = await failureOf(collected(turma.ask.stream(params)))
    assert.instanceOf(failure, TurmaConnectionError)
    assert.isAtMost(sent.length, 4)
  })

  it.each([
    ["an error that stays", () => refusal(404, "not_found"), "not_found", 1],
    ["a page", () => new Response("<p>", { headers: { "content-type": "text/html" } }), "unexpected_answer", 1],
    ["data that are no JSON", () => stream("event: message.delta\ndata: {\n\n"), "unexpected_answer", 1],
    ["an error that may pass", () => refusal(503, "temporarily_unavailable"), "temporarily_unavailable", 2],
    [
      "an error for too long",
      () => refusal(429, "stream_limit_reached", { "retry-after": "9999" }),
      "stream_limit_reached",
      1
    ]
  ])("fails with %s", async (_, answering, code, asked) => {
    const { sent, turma } = scripted([answering], { retries: 1 })
    const failure = await failureOf(collected(turma.ask.stream(params)))
    assert.deepStrictEqual([failure instanceof TurmaError && failure.code, sent.length], [code, asked])
  })

  it("tells what came before data that are no JSON", async () => {
    const { turma } = scripted([stream(`${delta("3", "Com")}event: message.delta\ndata: {\n\n`)])
    const seen: Array<string | undefined> = []
    const failure = await failureOf((async () => {
      for await (const { id } of turma.ask.stream(params)) seen.push(id)
    })())
    assert.deepStrictEqual([seen, failure instanceof TurmaError && failure.code], [["3"], "unexpected_answer"])
  })

  it("of one event without an end is given up, and not asked for again", async () => {
    const { sent, turma } = scripted([stream(`data: ${"a".repeat(5_000_000)}`)])
    const failure = await failureOf(collected(turma.ask.stream(params)))
    assert.deepStrictEqual([failure instanceof TurmaError && failure.code, sent.length], ["unexpected_answer", 1])
  })

  it("is left also where fetch takes no notice of its signal", async () => {
    const left: Array<unknown> = []
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(delta("1", "a"))),
      cancel: (reason) => void left.push(reason)
    })
    const { turma } = scripted([() => new Response(body, { headers: { "content-type": "text/event-stream" } })])
    for await (const { id } of turma.ask.stream(params)) {
      assert.strictEqual(id, "1")
      break
    }
    assert.deepStrictEqual(left, [undefined])
  })

  it("holds nothing of what it has told", async () => {
    const part = new TextEncoder().encode(`: ${"x".repeat(100_000)}\n\n`)
    let parts = 0
    let held = 0
    const before = process.memoryUsage().arrayBuffers
    const body = new ReadableStream({
      pull: (controller) => {
        if (++parts < 1000) return controller.enqueue(part.slice())
        collectGarbage()
        held = process.memoryUsage().arrayBuffers - before
        controller.enqueue(new TextEncoder().encode(canceled("1")))
      }
    })
    const { turma } = scripted([() => new Response(body, { headers: { "content-type": "text/event-stream" } })])
    assert.strictEqual((await collected(turma.ask.stream(params))).length, 1)
    assert.isBelow(held, 20_000_000)
  })

  it("that brings nothing for too long is given up", async () => {
    const silent = () => new Response(new ReadableStream(), { headers: { "content-type": "text/event-stream" } })
    const { turma } = scripted([silent], { retries: 0, timeout: 30 })
    assert.instanceOf(await failureOf(collected(turma.ask.stream(params))), TurmaTimeoutError)
  })

  it("waits for whoever reads it as long as they take", async () => {
    const { sent, turma } = scripted([stream(delta("1", "a") + delta("2", "b") + canceled("2"))], { timeout: 30 })
    const seen: Array<string> = []
    for await (const { event } of turma.ask.stream(params)) {
      await new Promise((done) => setTimeout(done, 60))
      seen.push(event)
    }
    assert.deepStrictEqual([seen.length, sent.length], [3, 1])
  })
})

/** A service whose streams never end by themselves, and a promise for the end of each. */
const endless = Effect.gen(function*() {
  const ends: Array<() => void> = []
  const closed = Array.from({ length: 4 }, () => new Promise<void>((done) => ends.push(done)))
  let asked = 0
  const port = yield* listening(createServer((_: IncomingMessage, response: ServerResponse) => {
    const number = asked++
    response.on("close", () => ends[number]?.())
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.write(delta("1", "Com"))
  }))
  return { closed, turma: createTurma({ baseUrl: `http://127.0.0.1:${port}`, token: "a" }) }
})

describe("the connection of a stream", () => {
  it.effect("ends where the iteration is left, and where its signal is aborted", () =>
    Effect.gen(function*() {
      const { closed, turma } = yield* endless
      yield* Effect.promise(async () => {
        for await (const { event } of turma.ask.stream(params)) {
          assert.strictEqual(event, "message.delta")
          break
        }
        await closed[0]
        const controller = new AbortController()
        const reason = new Error("enough")
        const failure = await failureOf((async () => {
          for await (const _ of turma.ask.stream(params, { signal: controller.signal })) {
            setTimeout(() => controller.abort(reason), 20)
          }
        })())
        assert.strictEqual(failure, reason)
        await closed[1]
      })
    }))
})
