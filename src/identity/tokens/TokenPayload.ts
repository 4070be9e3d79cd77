import { Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { text } from "../../platform/http/Text.ts"

/** The secret of a link or a code, as sent by a client. */
export const OneTimeSecret = Schema.RedactedFromValue(text(1, 200))

/** The secret of a link. */
export const TokenPayload = Schema.Struct({ token: OneTimeSecret })

/** Unknown, used and expired have the same answer. */
export class TokenInvalid extends ApiError<TokenInvalid>()("TokenInvalid", {
  status: 422,
  code: "token_invalid",
  message: "The link is unknown, used or expired: ask for a new one"
}) {}
