import type { DateTime } from "effect"

/** The receiver's end of an attempt's connection. */
export interface AttemptPeer {
  /** The address of the socket, as text. It has passed the address rules: nothing connects to another. */
  readonly peer_address: string
  /** Node's name, such as `TLSv1.3`. Null for a connection without TLS. */
  readonly tls_version: string | null
  /** The end of its certificate. Null for a connection without TLS. */
  readonly certificate_ends_at: DateTime.Utc | null
}
