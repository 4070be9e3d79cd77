import { Effect } from "effect"
import { connect } from "node:net"

/**
 * Starts a request: the service has read its head and waits for its body. `finish` sends the body and answers with the
 * whole response. `closed` ends when the service closes the connection. It comes from `localAddress`.
 */
export const startHalfRequest = Effect.fnUntraced(function*(
  port: number,
  path: string,
  body: string,
  localAddress = "127.0.0.1"
) {
  const socket = yield* Effect.acquireRelease(
    Effect.sync(() => connect({ port, host: "127.0.0.1", localAddress })),
    (socket) => Effect.sync(() => socket.destroy())
  )
  let received = ""
  socket.on("data", (chunk) => (received += chunk.toString()))
  socket.on("error", () => {})
  const closed = Effect.callback<string>((resume) => {
    if (socket.closed) return resume(Effect.succeed(received))
    socket.once("close", () => resume(Effect.succeed(received)))
  })
  const head = [
    `POST ${path} HTTP/1.1`,
    "Host: turma.example",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Expect: 100-continue",
    "",
    ""
  ]
  socket.write(head.join("\r\n"))
  // The service asks for the body once the handler reads it.
  yield* Effect.callback<void>((resume) => {
    socket.once("data", () => resume(Effect.void))
  })
  return {
    closed,
    finish: Effect.andThen(Effect.sync(() => void socket.write(body)), closed)
  }
})

/** A connection that has got an answer and waits for another request. */
export const openIdleConnection = Effect.fnUntraced(function*(port: number) {
  const socket = yield* Effect.acquireRelease(
    Effect.sync(() => connect(port, "127.0.0.1")),
    (socket) => Effect.sync(() => socket.destroy())
  )
  let received = ""
  socket.on("data", (chunk) => (received += chunk.toString()))
  socket.on("error", () => {})
  socket.write("GET /v1/health HTTP/1.1\r\nHost: turma.example\r\n\r\n")
  yield* Effect.callback<void>((resume) => {
    socket.once("data", () => resume(Effect.void))
  })
  return {
    write: (text: string) => Effect.sync(() => void socket.write(text)),
    /** All received bytes, once the service has closed the connection. */
    closed: Effect.callback<string>((resume) => {
      if (socket.closed) return resume(Effect.succeed(received))
      socket.once("close", () => resume(Effect.succeed(received)))
    })
  }
})

/** A connection with a second request that stays at its first line. */
export const openHalfHead = Effect.fnUntraced(function*(port: number) {
  const { closed, write } = yield* openIdleConnection(port)
  yield* write("POST /v1/auth/admin/sign-up HTTP/1.1\r\n")
  return { closed }
})

/** True if a new connection is refused. */
export const isRefused = (port: number) =>
  Effect.callback<boolean>((resume) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("connect", () => {
      socket.destroy()
      resume(Effect.succeed(false))
    })
    socket.once("error", () => resume(Effect.succeed(true)))
  })
