// Patch of Node 24. Without it, nobody can read when an expired certificate ended: Node shows no certificate any longer
// once it reports the error.
import type { TLSSocket } from "node:tls"

/** Calls back once with the certificate at hand, before Node judges it. The event `secure` is not documented. */
export const beforeJudged = (socket: TLSSocket, look: () => void): void => {
  socket.prependOnceListener("secure", look)
}
