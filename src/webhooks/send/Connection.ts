import type { EventEmitter } from "node:events"
import type { TLSSocket } from "node:tls"
import { Client } from "undici"
import { InterimAnswers } from "../../platform/patches/InterimAnswers.ts"
import type { AttemptPeer } from "../model/AttemptPeer.ts"
import type { ResponseReader } from "./ResponseReader.ts"
import type { OutgoingRequest } from "./Sender.ts"

/** An idle connection is closed after this many milliseconds, or sooner if the receiver says so. */
const idleTime = 10_000

/** The largest head of an answer, in bytes. */
const largestHead = 16 * 1024

const lost = () => Object.assign(new Error("The connection was lost"), { code: "ECONNRESET" })

// The same few URLs again and again, and taking one apart is slow.
const paths = new WeakMap<URL, string>()

const pathOf = (url: URL): string => {
  const known = paths.get(url)
  if (known !== undefined) return known
  const path = `${url.pathname}${url.search}`
  paths.set(url, path)
  return path
}

/** The known facts about an open socket. */
type Opened = Pick<Connection, "address" | "openedAt" | "peer">

/** One HTTP/1.1 connection over an open socket. undici never opens another: `Connector` checks addresses first. */
export class Connection {
  /** Host and port, as a URL has them. */
  readonly host: string
  /** The IP address that it is to: attempts in flight are counted by it. */
  readonly address: string
  /** Epoch milliseconds at which it was opened: for how long the check of its address holds. */
  readonly openedAt: number
  /** The receiver's end: read once, for all attempts that it serves. */
  readonly peer: AttemptPeer | null
  readonly #socket: TLSSocket
  readonly #client: Client
  readonly #interim: InterimAnswers

  constructor(socket: TLSSocket, { host, origin }: URL, { address, openedAt, peer }: Opened) {
    this.host = host
    this.address = address
    this.openedAt = openedAt
    this.peer = peer
    this.#socket = socket
    this.#interim = new InterimAnswers(socket)
    let handedOver = false
    this.#client = new Client(origin, {
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: largestHead,
      // The deadline of the attempt covers both.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: idleTime,
      keepAliveMaxTimeout: idleTime,
      connect: (_options, callback) => {
        const again = handedOver
        handedOver = true
        // undici expects to be called back later.
        queueMicrotask(() => again ? callback(lost(), null) : callback(null, socket))
      }
    })
    // An error of undici must not end the process.
    const emitter: EventEmitter = this.#client
    emitter.on("error", () => this.destroy())
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed
  }

  /** Calls back when the connection ends, from either side. */
  onClose(closed: () => void): void {
    this.#socket.once("close", closed)
  }

  /** Ends the connection at once, and with it the exchange on it. */
  destroy(): void {
    this.#socket.destroy()
  }

  /** Calls back once the socket has all bytes so far; at once if it takes more. */
  whenWritten(written: () => void): void {
    if (this.#socket.writableNeedDrain) this.#socket.once("drain", written)
    else written()
  }

  /** Posts; the reader tells when there is nothing more to read. The connection must not be in use. */
  post(url: URL, { body, headers }: OutgoingRequest, reader: ResponseReader): void {
    const flat = ["accept-encoding", "identity"]
    for (const name in headers) flat.push(name, headers[name] ?? "")
    this.#interim.expect()
    this.#client.dispatch({ method: "POST", path: pathOf(url), headers: flat, body }, reader)
  }
}
