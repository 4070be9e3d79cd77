import type { DateTime } from "effect"

/** Whom an attempt was connected to. */
export interface AttemptPeer {
  /** The address of the socket, as text. It has passed the address rules: nothing connects to another. */
  readonly peer_address: string
  /** As Node names it, such as `TLSv1.3`; null where the connection was not secured. */
  readonly tls_version: string | null
  /** When the certificate that it showed ends; null where the connection was not secured. */
  readonly certificate_ends_at: DateTime.Utc | null
}
