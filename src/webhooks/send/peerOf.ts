import { DateTime, Option } from "effect"
import type { Socket } from "node:net"
import type { TLSSocket } from "node:tls"
import type { AttemptPeer } from "../model/AttemptPeer.ts"

/** The peer of a socket that is connected and not secured yet; null where it is gone already. */
export const connectedPeer = ({ remoteAddress }: Socket): AttemptPeer | null =>
  remoteAddress === undefined ? null : { peer_address: remoteAddress, tls_version: null, certificate_ends_at: null }

/** When the certificate of the peer ends; null where a session was resumed, in which none is shown. */
export const certificateEndOf = (socket: TLSSocket): DateTime.Utc | null => {
  // `getPeerX509Certificate` would be less work, but it takes the certificate out of the socket: the next read finds none.
  const { valid_to } = socket.getPeerCertificate()
  return valid_to === undefined ? null : Option.getOrNull(DateTime.make(valid_to))
}

/** The peer of a socket that is secured, whose certificate ends then. */
export const securedPeer = (socket: TLSSocket, certificate_ends_at: DateTime.Utc | null): AttemptPeer | null => {
  const connected = connectedPeer(socket)
  return connected && { ...connected, tls_version: socket.getProtocol(), certificate_ends_at }
}
