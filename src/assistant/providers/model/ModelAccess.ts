import type { Redacted } from "effect"

/** Which model of whom, and the key to it. */
export interface ModelAccess {
  readonly key: Redacted.Redacted
  readonly model: string
  /** Without a slash at its end. */
  readonly base_url: string
}
