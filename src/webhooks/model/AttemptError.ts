import { Schema } from "effect"

/** Why an attempt failed, in one word. Does not say what a name resolved to. */
export const AttemptError = Schema.Literals([
  "timeout",
  "dns",
  "connection",
  "tls",
  "address_not_allowed",
  "redirect",
  "http_status",
  "protocol"
])
export type AttemptError = typeof AttemptError.Type
