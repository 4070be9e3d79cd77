import { DateTime, Option } from "effect"
import type { Socket } from "node:net"
import type { TLSSocket } from "node:tls"
import type { AttemptPeer } from "../model/AttemptPeer.ts"

/** The peer of a connected socket before TLS. Null if it has already left. */
export const connectedPeer = ({ remoteAddress }: Socket): AttemptPeer | null =>
  remoteAddress === undefined ? null : { peer_address: remoteAddress, tls_version: null, certificate_ends_at: null }

/** The end of the peer's certificate. Null for a resumed session, which shows no certificate. */
export const certificateEndOf = (socket: TLSSocket): DateTime.Utc | null => {
  // `getPeerX509Certificate` would be less work, but it removes the certificate from the socket: the next read would be
  // empty.
  const { valid_to } = socket.getPeerCertificate()
  return valid_to === undefined ? null : Option.getOrNull(DateTime.make(valid_to))
}

/** The peer of a socket that is secured, whose certificate ends then. */
export const securedPeer = (socket: TLSSocket, certificate_ends_at: DateTime.Utc | null): AttemptPeer | null => {
  const connected = connectedPeer(socket)
  return connected && { ...connected, tls_version: socket.getProtocol(), certificate_ends_at }
}
