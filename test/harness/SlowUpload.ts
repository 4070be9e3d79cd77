import { Effect } from "effect"
import { connect } from "node:net"
import { parseAnswer, type RawAnswer } from "./RawHttp.ts"

/** Starts a PUT: it sends the head, and the test sends the body later. The connection ends with the scope. */
export const startUpload = Effect.fnUntraced(function*(
  port: number,
  path: string,
  { mime = "text/plain", size_bytes }: { readonly mime?: string; readonly size_bytes: number }
) {
  const socket = yield* Effect.acquireRelease(
    Effect.sync(() => connect(port, "127.0.0.1")),
    (socket) => Effect.sync(() => socket.destroy())
  )
  const received: Array<Buffer> = []
  let isOver = false
  socket.on("data", (chunk) => received.push(chunk))
  // A service that has answered may reset the connection while the rest of the body is sent.
  socket.on("error", () => {})
  socket.once("close", () => (isOver = true))
  const head = `PUT ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: ${mime}\r\n`
  socket.write(`${head}Content-Length: ${size_bytes}\r\n\r\n`)
  const answer: Effect.Effect<RawAnswer> = Effect.callback((resume) => {
    const end = () => resume(Effect.sync(() => parseAnswer(Buffer.concat(received))))
    if (isOver) end()
    else socket.once("close", end)
  })
  return {
    write: (bytes: string | Uint8Array) => Effect.sync(() => void socket.write(bytes)),
    hangUp: Effect.sync(() => void socket.destroy()),
    /** True once the service has answered or hung up. */
    isAnswered: () => received.length > 0 || isOver,
    /** The whole answer, once the connection is closed. */
    answer
  }
})
