import { Schema } from "effect"
import { Stripe } from "stripe"

/** Stripe refuses the call, and would again: the object is missing, the card is declined. */
export class StripeRefused extends Schema.TaggedError<StripeRefused>()("StripeRefused", {
  code: Schema.NullOr(Schema.String),
  status: Schema.Int
}) {
  override get message(): string {
    return `Stripe has refused it: ${this.status} ${this.code ?? "without a code"}`
  }

  /** Whether the object does not exist, or not any more. */
  get isMissing(): boolean {
    return this.status === 404 || this.code === "resource_missing"
  }
}

/**
 * It is not known whether the call was done: try again. `answered`: Stripe has answered that it failed, and would answer the
 * same idempotency key with the same.
 */
export class StripeUnreachable extends Schema.TaggedError<StripeUnreachable>()("StripeUnreachable", {
  why: Schema.String,
  answered: Schema.Boolean
}) {
  override get message(): string {
    return `Stripe was not reached: ${this.why}`
  }
}

/** Why a call did not do what was asked. */
export type StripeFailure = StripeRefused | StripeUnreachable

// A wrong or restricted key has to be replaced by the operator, and an idempotency key in use is free again later: both are
// tried again.
const passing = (status: number, type: string) =>
  [401, 403, 409, 429].includes(status) || status >= 500 || type === "StripeIdempotencyError"

// 400: the key was used with other parameters, so it cannot be used for these.
const isAnswered = (status: number, type: string) =>
  status >= 500 || (status === 400 && type === "StripeIdempotencyError")

/** The failure of a call. Messages are left out: they can contain a key or an address. */
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
