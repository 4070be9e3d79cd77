import { Schema } from "effect"
import { Stripe } from "stripe"

/** Stripe will not do it, whoever asks again: the object is not there, the card is declined. */
export class StripeRefused extends Schema.TaggedError<StripeRefused>()("StripeRefused", {
  code: Schema.NullOr(Schema.String),
  status: Schema.Int
}) {
  override get message(): string {
    return `Stripe has refused it: ${this.status} ${this.code ?? "without a code"}`
  }

  /** What it was about does not exist, or no longer. */
  get isMissing(): boolean {
    return this.status === 404 || this.code === "resource_missing"
  }
}

/**
 * Nobody knows whether it is done: to be asked again. `answered`: Stripe said that it failed, and says so again to the same
 * idempotency key.
 */
export class StripeUnreachable extends Schema.TaggedError<StripeUnreachable>()("StripeUnreachable", {
  why: Schema.String,
  answered: Schema.Boolean
}) {
  override get message(): string {
    return `Stripe was not reached: ${this.why}`
  }
}

export type StripeFailure = StripeRefused | StripeUnreachable

// A wrong key, or one that may not do this, is for the operator to see to: nothing is given up for it. Nor for an
// idempotency key that is in use.
const passing = (status: number, type: string) =>
  [401, 403, 409, 429].includes(status) || status >= 500 || type === "StripeIdempotencyError"

// 400 says that the key was heard with other words: it will never be good for these.
const isAnswered = (status: number, type: string) =>
  status >= 500 || (status === 400 && type === "StripeIdempotencyError")

/** What became of a call. Messages are left out: they can name a key or an address. */
export const failureOf = (error: unknown): StripeFailure => {
  if (!(error instanceof Stripe.errors.StripeError)) {
    return new StripeUnreachable({ why: "the answer is none of Stripe's", answered: false })
  }
  const { code = null, statusCode, type } = error
  if (statusCode === undefined) return new StripeUnreachable({ why: type, answered: false })
  return passing(statusCode, type)
    ? new StripeUnreachable({ why: `${statusCode} ${code ?? type}`, answered: isAnswered(statusCode, type) })
    : new StripeRefused({ code, status: statusCode })
}
