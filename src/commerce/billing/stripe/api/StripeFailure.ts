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

  /** True if the object does not exist, or no longer. */
  get isMissing(): boolean {
    return this.status === 404 || this.code === "resource_missing"
  }
}

/**
 * The call may or may not have run: try again. `answered`: Stripe has answered that it failed, and would repeat that
 * answer for the same idempotency key.
 */
export class StripeUnreachable extends Schema.TaggedError<StripeUnreachable>()("StripeUnreachable", {
  why: Schema.String,
  answered: Schema.Boolean
}) {
  override get message(): string {
    return `Stripe was not reached: ${this.why}`
  }
}

/** The reason why a call failed. */
export type StripeFailure = StripeRefused | StripeUnreachable

// Both of these pass: the operator replaces a wrong or restricted key, and an idempotency key in use becomes free. So
// the call is tried again.
const isTransientStatus = (status: number, type: string) =>
  [401, 403, 409, 429].includes(status) || status >= 500 || type === "StripeIdempotencyError"

// 400: the key was used with other parameters, so it cannot be used for these.
const isAnswered = (status: number, type: string) =>
  status >= 500 || (status === 400 && type === "StripeIdempotencyError")

/** The failure of a call. Omits messages, since they can contain a key or an address. */
export const failureOf = (error: unknown): StripeFailure => {
  if (!(error instanceof Stripe.errors.StripeError)) {
    return new StripeUnreachable({ why: "the answer is none of Stripe's", answered: false })
  }
  const { code = null, statusCode, type } = error
  if (statusCode === undefined) return new StripeUnreachable({ why: type, answered: false })
  return isTransientStatus(statusCode, type)
    ? new StripeUnreachable({ why: `${statusCode} ${code ?? type}`, answered: isAnswered(statusCode, type) })
    : new StripeRefused({ code, status: statusCode })
}
