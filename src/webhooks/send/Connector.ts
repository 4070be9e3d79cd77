import { type DateTime, Duration, Effect } from "effect"
import { NetAddress } from "effect/net"
import { connect as connectTcp, type Socket } from "node:net"
import { connect as connectTls, type SecureContext, type TLSSocket } from "node:tls"
import { addressKey } from "../../identity/limits/forwardedAddress.ts"
import { beforeJudged } from "../../platform/patches/RefusedCertificate.ts"
import type { AttemptError } from "../model/AttemptError.ts"
import type { AttemptPeer } from "../model/AttemptPeer.ts"
import type { Addresses } from "./Addresses.ts"
import { literalOf, nameOf } from "./AddressRules.ts"
import { certificateEndOf, connectedPeer, securedPeer } from "./peerOf.ts"
import type { PhaseTimer } from "./PhaseTimer.ts"
import { isEndOfCertificate } from "./ResponseReader.ts"
import { type TargetRoom, type TargetsFull, targetsOf } from "./Targets.ts"
import { TlsSessions } from "./TlsSessions.ts"

/** Addresses that are tried at most. */
const mostTries = 6

/** The delay from one address to the next (RFC 8305, 5). */
const headStart = Duration.millis(250)

const vetErrors = { AddressNotAllowed: "address_not_allowed", DnsFailure: "dns" } as const

/** All sockets that an attempt has opened. It destroys those that it does not pass on. */
export type OpenSockets = Set<Socket>

/** A connection that is not secured yet, and the address that it is to. */
interface Connected {
  readonly socket: Socket
  readonly address: string
}

/** A connection over TLS, and its peer. */
interface Secured {
  readonly socket: TLSSocket
  readonly peer: AttemptPeer | null
}

/** The state of a connection while it opens. */
export interface Opening {
  readonly sockets: OpenSockets
  /** The addresses that count the attempt. */
  readonly room: TargetRoom
  readonly timer: PhaseTimer
  /** Called with the peer of the connection, before it carries any data. */
  readonly connected: (peer: AttemptPeer | null) => void
}

// One of each family by turns, so that a broken family costs one head start.
const byTurns = (addresses: ReadonlyArray<NetAddress.IpAddress>) => {
  const v4 = addresses.filter(NetAddress.isIpv4Address)
  const v6 = addresses.filter(NetAddress.isIpv6Address)
  const longest = Math.max(v4.length, v6.length)
  return Array.from({ length: longest }, (_, i) => [...v4.slice(i, i + 1), ...v6.slice(i, i + 1)]).flat()
}

/** Opens connections to receivers: to vetted addresses, and over TLS. */
export class Connector {
  readonly #addresses: Addresses["Service"]
  readonly #roots: SecureContext
  readonly #sessions = new TlsSessions()

  constructor(addresses: Addresses["Service"], roots: SecureContext) {
    this.#addresses = addresses
    this.#roots = roots
  }

  /** An open connection to an address of the URL's host at this moment. `now` is in epoch milliseconds. */
  open(
    url: URL,
    now: number,
    { connected, room, sockets: opened, timer }: Opening
  ): Effect.Effect<Secured & Pick<Connected, "address">, AttemptError | TargetsFull> {
    if (literalOf(url.hostname) === undefined) timer.begin("lookup_ms")
    return this.#addresses.vet(url.hostname).pipe(
      Effect.mapError(({ _tag }): AttemptError => vetErrors[_tag]),
      Effect.flatMap((addresses): Effect.Effect<Connected, AttemptError | TargetsFull> => {
        const tried = byTurns(addresses).slice(0, mostTries)
        const targets = targetsOf(tried)
        const free = room.take(targets)
        if (targets.length > 0 && free.length === 0) return Effect.fail(room.full(targets))
        timer.begin("connect_ms")
        return this.#openFirst(
          tried.filter((address) => free.includes(addressKey(address))),
          Number(url.port || 443),
          opened
        )
      }),
      Effect.flatMap(({ address, socket }) => {
        room.keepOnly(address)
        const peer = connectedPeer(socket)
        connected(peer)
        timer.begin("tls_ms")
        const showed = (certificate_ends_at: DateTime.Utc) => connected(peer && { ...peer, certificate_ends_at })
        return Effect.map(this.#secure(socket, url, { now, opened, showed }), (secured) => ({ ...secured, address }))
      })
    )
  }

  #openFirst(addresses: ReadonlyArray<NetAddress.IpAddress>, port: number, opened: OpenSockets) {
    const [only, ...others] = addresses.map((address) => this.#openOne(address, port, opened))
    if (only === undefined) return Effect.fail<AttemptError>("dns")
    if (others.length === 0) return only
    const staggered = others.map((open, i) => Effect.delay(open, Duration.times(headStart, i + 1)))
    return Effect.tap(Effect.raceAll([only, ...staggered]), (winner) =>
      Effect.sync(() => {
        for (const socket of opened) if (socket !== winner.socket) socket.destroy()
      }))
  }

  // Connects to an address, never to a name, so that no name is resolved a second time.
  #openOne(address: NetAddress.IpAddress, port: number, opened: OpenSockets) {
    return Effect.callback<Connected, AttemptError>((resume) => {
      const socket = connectTcp({ host: NetAddress.formatIp(address), port, noDelay: true })
      opened.add(socket)
      socket.on("error", () => resume(Effect.fail("connection")))
      socket.once("connect", () => {
        const peer = literalOf(socket.remoteAddress ?? "")
        const allowed = peer !== undefined && this.#addresses.isAllowed(peer)
        resume(allowed ? Effect.succeed({ address: addressKey(address), socket }) : Effect.fail("address_not_allowed"))
      })
    })
  }

  // `showed` is called with the end of a certificate that is refused because it, or one above it, has ended.
  #secure(
    socket: Socket,
    { host, hostname }: URL,
    { showed, now, opened }: {
      readonly now: number
      readonly opened: OpenSockets
      readonly showed: (certificate_ends_at: DateTime.Utc) => void
    }
  ) {
    return Effect.callback<Secured, AttemptError>((resume) => {
      const literal = literalOf(hostname)
      // A certificate's name has no final dot; an address is checked against it too, but is not sent as a name.
      const name = nameOf(hostname)
      const known = this.#sessions.get(host, now)
      const secured = connectTls({
        socket,
        secureContext: this.#roots,
        rejectUnauthorized: true,
        ALPNProtocols: ["http/1.1"],
        ...(literal === undefined ? { host: name, servername: name } : { host: NetAddress.formatIp(literal) }),
        ...(known !== undefined && { session: known.session })
      })
      opened.add(secured)
      let certificate_ends_at: DateTime.Utc | null = null
      secured.on("session", (latest) => {
        const resumed = secured.isSessionReused()
        this.#sessions.set(host, latest, { now, resumed, certificate_ends_at })
      })
      secured.on("error", (error) => {
        if (certificate_ends_at !== null && isEndOfCertificate(error)) showed(certificate_ends_at)
        // It was reached, so a connection that ends now was ended in the middle of TLS.
        resume(Effect.fail("tls"))
      })
      beforeJudged(secured, () => {
        certificate_ends_at = secured.isSessionReused() ? known?.certificate_ends_at ?? null : certificateEndOf(secured)
      })
      secured.once("secureConnect", () => {
        resume(Effect.succeed({ socket: secured, peer: securedPeer(secured, certificate_ends_at) }))
      })
    })
  }
}
