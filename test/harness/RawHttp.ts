import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServer } from "effect/http"
import { connect } from "node:net"
import { at } from "./App.ts"
import { isEndless } from "./Endless.ts"

/** An answer as it came over the wire. Header names are lower-cased; `json` is null for a body that is not JSON. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly text: string
  readonly json: unknown
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The bytes of one whole answer. */
export const parseAnswer = (bytes: Buffer): RawAnswer => {
  const [head = "", ...rest] = bytes.toString("utf8").split("\r\n\r\n")
  const [start = "", ...lines] = head.split("\r\n")
  const headers = lines.map((line) => {
    const colon = line.indexOf(":")
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  const text = rest.join("\r\n\r\n")
  return {
    status: Number(start.split(" ")[1]),
    headers: Object.fromEntries(headers),
    text,
    json: jsonOf(text)
  }
}

/** Writes these bytes to the server of `AppLayer` and reads until it closes the connection or `isEnough` is true. */
const written = Effect.fnUntraced(function*(
  parts: ReadonlyArray<string | Uint8Array>,
  isEnough: (received: Buffer) => boolean
) {
  const { address } = yield* HttpServer.HttpServer
  if (address._tag === "UnixPathAddress") return yield* Effect.die(new Error("The server listens on no port"))
  return yield* Effect.callback<RawAnswer>((resume) => {
    const socket = connect(address.port, "127.0.0.1")
    const received: Array<Buffer> = []
    socket.on("data", (chunk) => {
      received.push(chunk)
      if (isEnough(Buffer.concat(received))) socket.destroy()
    })
    // A server that has answered may reset the connection while the rest of the body is sent.
    socket.on("error", () => {})
    socket.on("close", () => resume(Effect.succeed(parseAnswer(Buffer.concat(received)))))
    for (const part of parts) socket.write(part)
    return Effect.sync(() => socket.destroy())
  })
})

/**
 * Writes these bytes to the server of `AppLayer` and answers with all bytes until it closes the connection. So a test
 * may send requests that no client would. Each needs `Connection: close`.
 */
export const sendRaw = Effect.fn("sendRaw")((...parts: ReadonlyArray<string | Uint8Array>) =>
  written(parts, () => false)
)

/** A whole request with a JSON body. The test chooses every byte. */
export const rawRequest = (
  method: string,
  target: string,
  { body = "", headers = {}, token }: {
    readonly token?: string
    readonly headers?: Record<string, string>
    readonly body?: string | Uint8Array
  } = {}
): ReadonlyArray<string | Uint8Array> => {
  const lines = {
    Host: "turma.example",
    Connection: "close",
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...(body.length === 0 ? {} : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) }),
    ...headers
  }
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`).join("")
  return [`${method} ${target} HTTP/1.1\r\n${head}\r\n`, body]
}

/** `text` of 1 MiB or more, in the chunks of a body without a length. */
export const chunked = (text: string): string => {
  const size = 65_536
  const chunks = Array.from(
    { length: Math.ceil(text.length / size) },
    (_, n) => text.slice(n * size, (n + 1) * size)
  )
  return `${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join("")}0\r\n\r\n`
}

const hasBegun = (received: Buffer) => /^HTTP\/1\.1 200 [^]*\r\n\r\n/.test(received.toString("latin1"))

/** Sends such a request. Of an endless stream it reads the beginning. */
export const call = (...request: Parameters<typeof rawRequest>) =>
  written(rawRequest(...request), isEndless(request[1]) ? hasBegun : () => false)

/** Asserts that the answer is only the error envelope with this code, as JSON, with a request id. */
export const isRefusal = (answer: RawAnswer, status: number, code: string, message?: string) => {
  assert.strictEqual(answer.status, status, answer.text)
  const said = at(answer.json, "error", "message")
  assert.deepStrictEqual(answer.json, { error: { code, message: message ?? said } })
  assert.isString(said)
  assert.match(answer.headers["content-type"] ?? "", /^application\/json/)
  assert.match(answer.headers["x-request-id"] ?? "", /^[A-Za-z0-9._-]{1,64}$/)
}
