import { Schema } from "effect"
import { EndpointId } from "../../model/EndpointId.ts"

/** The result of a signature check: verified, or the reason why not. */
export const SignatureCheck = Schema.Struct({
  /** Accepted, as a receiver accepts: one matches, and the timestamp is within 5 minutes. */
  verified: Schema.Boolean,
  problem: Schema.NullOr(Schema.Literals(["header_missing", "timestamp_malformed", "timestamp_off", "no_match"])),
  /** The endpoint of the secret or key that one of the signatures fits. */
  endpoint_id: Schema.NullOr(EndpointId),
  /** The number of that signature in the list, from 1 on. */
  position: Schema.NullOr(Schema.Int),
  /** `newest` for the newest secret or key of the endpoint, `previous` for a replaced one. */
  secret: Schema.NullOr(Schema.Literals(["newest", "previous"])),
  /** Seconds that our clock is ahead of the timestamp; negative if it is behind. */
  clock_seconds: Schema.NullOr(Schema.Int)
})
export type SignatureCheck = typeof SignatureCheck.Type
