/** Why a request cannot count as a webhook of Turma. */
export type WebhookVerificationReason =
  | "body_invalid"
  | "body_not_raw"
  | "header_duplicated"
  | "header_missing"
  | "no_matching_signature"
  | "secret_invalid"
  | "timestamp_invalid"
  | "timestamp_too_new"
  | "timestamp_too_old"

/** A request that is not believed. Answer it 400 or 401, and do nothing of what it says. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError"
  /** Why, for programs. */
  readonly reason: WebhookVerificationReason

  constructor(reason: WebhookVerificationReason, message: string) {
    super(message)
    this.reason = reason
  }
}
