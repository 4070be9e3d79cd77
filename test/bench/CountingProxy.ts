import { Effect, Redacted } from "effect"
import { connect, createServer, type Server, type Socket } from "node:net"

/** The traffic since the last `reset`. */
export interface Traffic {
  /** Statements executed, including `begin` and `commit`. */
  readonly statements: number
  /** How often the client spoke after the server had. Exact only for one request at a time. */
  readonly roundTrips: number
}

/** PostgreSQL's Execute and Query: each message runs one statement. */
const running = new Set(["E", "Q"])

/** Finds the types of the frontend's messages in chunks of any size (PostgreSQL manual, Message Formats). */
const makeReader = (onMessage: (type: string) => void) => {
  let rest: Buffer = Buffer.alloc(0)
  // The first message has no type.
  let header = 4
  return (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (rest.length >= header) {
      const length = rest.readUInt32BE(header - 4) + header - 4
      if (rest.length < length) return
      if (header === 5) onMessage(String.fromCharCode(rest.readUInt8(0)))
      rest = rest.subarray(length)
      header = 5
    }
  }
}

/** Starts a proxy before a PostgreSQL server without TLS; the scope closes it. `database` is the address through it. */
export const countingProxy = Effect.fn("CountingProxy.start")(function*(target: Redacted.Redacted) {
  const behind = new URL(Redacted.value(target))
  const sockets = new Set<Socket>()
  let statements = 0
  let roundTrips = 0

  const accept = (client: Socket) => {
    const server = connect(Number(behind.port), behind.hostname)
    let answered = true
    const read = makeReader((type) => {
      if (running.has(type)) statements += 1
    })
    for (const [from, to] of [[client, server], [server, client]] as const) {
      sockets.add(from.setNoDelay())
      from.on("data", (chunk: Buffer) => {
        if (from === client && answered) roundTrips += 1
        answered = from === server
        if (from === client) read(chunk)
        to.write(chunk)
      })
      from.on("error", () => to.destroy())
      from.on("close", () => to.destroy())
    }
  }

  const listening = Effect.callback<Server>((resume) => {
    const server = createServer(accept)
    server.once("error", (cause) => resume(Effect.die(cause)))
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  })
  const proxy = yield* Effect.acquireRelease(listening, (server) =>
    Effect.sync(() => {
      server.close()
      for (const socket of sockets) socket.destroy()
    }))
  const address = proxy.address()
  if (address === null || typeof address === "string") return yield* Effect.die("The proxy has no port")
  const url = new URL(behind)
  url.port = String(address.port)

  return {
    database: Redacted.make(url.href),
    reset: Effect.sync(() => {
      statements = 0
      roundTrips = 0
    }),
    traffic: Effect.sync((): Traffic => ({ statements, roundTrips }))
  }
})
