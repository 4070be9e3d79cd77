// A receiver process with TLS, keep-alive and a small 200. It parses as little of HTTP as it needs, to leave the shared
// machine to the senders.
import { createServer, type TLSSocket } from "node:tls"
import { carryOut, given } from "./orders.ts"

const answer = Buffer.from("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok")
const endOfHead = Buffer.from("\r\n\r\n")

/** Milliseconds since 1970 with a fraction, the same clock in every process. */
const now = () => performance.timeOrigin + performance.now()

let first = 0
let last = 0
let arrived = 0
let expected = Infinity
let reached: (() => void) | undefined
let arrivals: Array<readonly [id: string, at: number]> | undefined
let connections = 0

const count = (head: string) => {
  last = now()
  if (arrived === 0) first = last
  arrived += 1
  if (arrivals !== undefined) arrivals.push([/\r\nwebhook-id: ([^\r]+)/i.exec(head)?.[1] ?? "", last])
  if (arrived === expected) reached?.()
}

/** Calls back with the head of each request once its body has arrived too. */
const eachRequest = (socket: TLSSocket, heard: (head: string) => void) => {
  let rest: Buffer = Buffer.alloc(0)
  socket.on("data", (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      const end = rest.indexOf(endOfHead)
      if (end === -1) return
      const head = rest.toString("latin1", 0, end)
      const whole = end + endOfHead.length + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (rest.length < whole) return
      rest = rest.subarray(whole)
      heard(head)
    }
  })
  socket.on("error", () => socket.destroy())
}

const listen = (handle: (socket: TLSSocket) => void) =>
  new Promise<number>((resolve) => {
    const server = createServer({ cert: given("CERTIFICATE"), key: given("KEY") }, (socket) => {
      connections += 1
      handle(socket.setNoDelay())
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  })

const several = (ports: number, handle: (socket: TLSSocket) => void) =>
  Promise.all(Array.from({ length: ports }, () => listen(handle)))

const slowness = 50

const prompt = (socket: TLSSocket) =>
  eachRequest(socket, (head) => {
    count(head)
    socket.write(answer)
  })

const slow = (socket: TLSSocket) =>
  eachRequest(socket, (head) => {
    count(head)
    setTimeout(() => socket.writable && socket.write(answer), slowness)
  })

// Completes the handshake and never answers.
const tarpit = (socket: TLSSocket) => eachRequest(socket, () => undefined)

const restart = (target: number) => {
  arrived = 0
  connections = 0
  expected = target
}

const ports = Number(given("PORTS"))
await carryOut({
  prompt: await several(ports, prompt),
  tarpit: await several(ports, tarpit),
  slow: await several(1, slow)
}, {
  /** Counts from zero up to this many. */
  expect: restart,
  /** Waits for the expected requests. */
  reach: async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    reached = resolve
    if (arrived >= expected) resolve()
    await promise
    return { milliseconds: last - first, connections }
  },
  /** Notes the id and time of each request from now on. */
  note: () => {
    restart(Infinity)
    arrivals = []
  },
  /** Returns the noted requests. */
  arrivals: () => {
    const noted = arrivals ?? []
    arrivals = []
    return noted
  },
  arrived: () => arrived
})
process.exit()
