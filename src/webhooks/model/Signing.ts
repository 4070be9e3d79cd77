import { Schema } from "effect"

/** What signs for an endpoint: its secret, its Ed25519 key, or each of them. */
export const Signing = Schema.Literals(["hmac", "ed25519", "both"])
export type Signing = typeof Signing.Type
