import { Effect, Queue } from "effect"
import { randomUUID } from "node:crypto"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import { listening } from "./Listening.ts"

/** A request as a provider got it. */
export interface Asked {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

type Pieces = ReadonlyArray<string | Uint8Array>

/** The server's answer to a request. */
export interface ModelAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Written one by one, each in its own turn of the event loop. */
  readonly pieces?: Pieces
  /** `ends` properly, `breaks` the connection, `stalls` forever after the pieces, or is `silent` from the start. */
  readonly end?: "ends" | "breaks" | "stalls" | "silent"
}

const write = (response: ServerResponse, [piece, ...others]: Pieces, ended: () => void): void => {
  if (piece === undefined) ended()
  else response.write(piece, () => setImmediate(() => write(response, others, ended)))
}

const give = (response: ServerResponse, answer: ModelAnswer) => {
  const { end = "ends", headers = { "content-type": "text/event-stream" }, pieces = [], status = 200 } = answer
  if (end === "silent") return
  response.writeHead(status, headers)
  response.flushHeaders()
  write(response, pieces, () => {
    if (end === "ends") response.end()
    if (end === "breaks") response.destroy()
  })
}

/** A provider of models on the loopback interface. It gives these answers in turn, and repeats the last one. */
export const startModelServer = Effect.fnUntraced(function*(...answers: ReadonlyArray<ModelAnswer>) {
  const asked = yield* Queue.unbounded<Asked>()
  const hungUp = yield* Queue.unbounded<void>()
  let count = 0
  // Other tests may still send requests to an earlier server of this port. The path tells them apart.
  const own = `/${randomUUID()}`
  const server = createServer((request, response) => {
    const { url = "" } = request
    if (!url.startsWith(own)) return void response.writeHead(404).end()
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const answer = answers[Math.min(count++, answers.length - 1)] ?? {}
      Queue.offerUnsafe(asked, {
        path: url.slice(own.length),
        headers: request.headers,
        body: Buffer.concat(chunks).toString()
      })
      response.on("close", () => {
        if (!response.writableFinished) Queue.offerUnsafe(hungUp, undefined)
      })
      give(response, answer)
    })
  })
  const port = yield* listening(server)
  return {
    base_url: `http://127.0.0.1:${port}${own}`,
    asked,
    /** One for each answer that the client dropped before its end. */
    hungUp,
    /** Number of requests so far. */
    count: Effect.sync(() => count)
  }
})

const event = (data: unknown, name?: string) =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`

/** The events of Anthropic's Messages API. */
export const anthropicWire = {
  begins: [
    event({ type: "message_start", message: { id: "msg_1", usage: { input_tokens: 9 } } }, "message_start"),
    event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }, "content_block_start"),
    event({ type: "ping" }, "ping"),
    event({ type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "hm" } }),
    event({ type: "added_one_day", anything: [1] }, "added_one_day")
  ],
  says: (text: string) =>
    event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }, "content_block_delta"),
  stops: (reason: string) =>
    event({ type: "message_delta", delta: { stop_reason: reason }, usage: { output_tokens: 5 } }, "message_delta") +
    event({ type: "message_stop" }, "message_stop"),
  fails: event({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, "error"),
  malformed: event({ type: "content_block_delta", delta: { type: "text_delta" } }),
  stop: "end_turn",
  length: "max_tokens",
  refuses: event({ type: "message_delta", delta: { stop_reason: "refusal" } }, "message_delta")
} as const

const chunk = (delta: object, finish_reason: string | null = null) =>
  event({ id: "c1", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] })

/** The events of OpenAI's Chat Completions. */
export const openAiWire = {
  begins: [
    ": a comment\n\n",
    chunk({ role: "assistant", content: "" }),
    event({ object: "added_one_day", usage: null }),
    chunk({ reasoning_content: "hm" })
  ],
  says: (content: string) => chunk({ content }),
  stops: (reason: string) =>
    `${chunk({}, reason)}${event({ choices: [], usage: { total_tokens: 9 } })}data: [DONE]\n\n`,
  fails: event({ error: { message: "Overloaded", type: "server_error", code: null } }),
  malformed: event({ choices: [{ delta: { content: 5 } }] }),
  stop: "stop",
  length: "length",
  refuses: chunk({ refusal: "I cannot help with that" })
} as const

export type Wire = typeof anthropicWire | typeof openAiWire

/** A whole answer in these pieces. */
export const answering = (wire: Wire, ...texts: ReadonlyArray<string>): ModelAnswer => ({
  pieces: [...wire.begins, ...texts.map(wire.says), wire.stops(wire.stop)]
})
