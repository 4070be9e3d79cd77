import { Schema } from "effect"

/** The signatures of an endpoint: by its secret alone, or also by its Ed25519 key. */
export const Signing = Schema.Literals(["hmac", "both"])
export type Signing = typeof Signing.Type
