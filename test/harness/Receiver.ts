import { Effect, Queue } from "effect"
import { createServer as createHttpsServer, type ServerOptions } from "node:https"
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net"
import { createServer as createTlsServer, type TlsOptions, type TLSSocket } from "node:tls"
import { type Certificate, type TestCa, testCa } from "./Tls.ts"

/** A request as it came over the wire. */
export interface ReceivedRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  /** Names in lower case. Values of a repeated header stand behind each other, separated by commas. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Epoch milliseconds of the real clock: when the head had arrived, and when the body had. */
  readonly startedAt: number
  readonly receivedAt: number
  /** Number of the connection, from 1, in the order of arrival. */
  readonly connection: number
}

/** A receiver's answer; 204 without a body by default. */
export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | Array<string>>>
  readonly body?: string | Uint8Array
}

/** One answer for all requests, or a choice by request, which may come later. */
export type Answering = Answer | ((request: ReceivedRequest) => Answer | Promise<Answer>)

interface Options {
  readonly answer?: Answering
  /** The authority that signs the receiver's certificate; its own by default. */
  readonly ca?: TestCa
  /** More names for its certificate, beside the loopback's. */
  readonly names?: ReadonlyArray<string>
  /** A free port by default. */
  readonly port?: number
  /** More options of the server. */
  readonly server?: ServerOptions
}

const listen = Effect.fnUntraced(function*(server: Server, port = 0) {
  const sockets = new Set<Socket>()
  server.on("connection", (socket: Socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    socket.on("close", () => sockets.delete(socket))
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.once("error", (error) => resume(Effect.die(error)))
      server.listen(port, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        for (const socket of sockets) socket.destroy()
      })
  )
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === "string") throw new Error("The receiver does not listen on a port")
  return { port: address.port, sockets }
})

const usual = (ca: TestCa, names: ReadonlyArray<string> = []): Certificate =>
  ca.certificate({ names: ["localhost", "127.0.0.1", "::1", ...names] })

/**
 * A real HTTPS receiver on the loopback interface, stopped with the scope. It keeps every request. `answerWith` changes
 * the answer from the next request on.
 */
export const startReceiver = Effect.fnUntraced(function*(
  { answer = {}, ca = testCa(), names, port, server: more }: Options = {}
) {
  const requests: Array<ReceivedRequest> = []
  const queue = yield* Queue.unbounded<ReceivedRequest>()
  const numbers = new WeakMap<Socket, number>()
  let connections = 0
  let answering = answer
  const server = createHttpsServer({ ...usual(ca, names), ...more })
  server.on("secureConnection", (socket: TLSSocket) => numbers.set(socket, ++connections))
  // Some tests are about clients that refuse our certificate.
  server.on("tlsClientError", () => {})
  server.on("request", (request, response) => {
    const startedAt = Date.now()
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", async () => {
      const received: ReceivedRequest = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: Object.fromEntries(Object.entries(request.headersDistinct).map((
          [name, values]
        ) => [name, (values ?? []).join(", ")])),
        body: Buffer.concat(chunks),
        startedAt,
        receivedAt: Date.now(),
        connection: numbers.get(request.socket) ?? 0
      }
      requests.push(received)
      Queue.offerUnsafe(queue, received)
      const { body = "", headers = {}, status = 204 } = await (typeof answering === "function"
        ? answering(received)
        : answering)
      response.writeHead(status, headers).end(body)
    })
  })
  const listening = yield* listen(server, port)
  return {
    port: listening.port,
    url: `https://127.0.0.1:${listening.port}/`,
    ca,
    /** Every request so far, in the order in which their bodies arrived completely. */
    requests,
    /** Waits for the next request that the test has not taken yet. */
    next: Queue.take(queue),
    /** Number of connections that have finished their handshake. */
    connections: () => connections,
    answerWith: (next: Answering) => {
      answering = next
    },
    /** Drops every open connection, as a restart does. */
    dropConnections: Effect.sync(() => {
      for (const socket of listening.sockets) socket.destroy()
    })
  }
})
export type Receiver = Effect.Success<ReturnType<typeof startReceiver>>

interface RawOptions {
  readonly ca?: TestCa
  /** More options of the TLS server: another certificate, other versions. */
  readonly server?: TlsOptions
}

/**
 * A TLS server that runs a function on each connection, for receivers that break HTTP. `number` is the connection's
 * number, from 1.
 */
export const startRawReceiver = Effect.fnUntraced(function*(
  handle: (socket: TLSSocket, number: number) => void,
  { ca = testCa(), server: more }: RawOptions = {}
) {
  let connections = 0
  const server = createTlsServer({ ...usual(ca), ...more }, (socket) => {
    socket.on("error", () => {})
    handle(socket, ++connections)
  })
  server.on("tlsClientError", () => {})
  const { port, sockets } = yield* listen(server)
  return {
    port,
    url: `https://127.0.0.1:${port}/`,
    ca,
    connections: () => connections,
    /** The TCP sockets of all open connections. */
    sockets,
    /** Shows another certificate from the next connection on. */
    replaceCertificate: (certificate: Certificate) => server.setSecureContext(certificate),
    /** Accepts no new connections. Open ones stay. */
    refuse: () => void server.close()
  }
})

/** A TCP server that runs a function on each connection, for receivers that break TLS. */
export const startTcpReceiver = Effect.fnUntraced(function*(handle: (socket: Socket) => void) {
  let connections = 0
  const server = createTcpServer((socket) => {
    connections++
    handle(socket)
  })
  const { port } = yield* listen(server)
  return { port, url: `https://127.0.0.1:${port}/`, connections: () => connections }
})
