import { Schema } from "effect"

/** What signs for an endpoint: its secret alone, or its Ed25519 key beside it. */
export const Signing = Schema.Literals(["hmac", "both"])
export type Signing = typeof Signing.Type
