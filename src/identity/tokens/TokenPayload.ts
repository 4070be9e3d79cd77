import { Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { anyText } from "../../platform/http/Text.ts"

/** The secret of a link or a code, as sent by a client. */
export const OneTimeSecret = Schema.RedactedFromValue(anyText(1, 200))

/** The secret of a link. */
export const TokenPayload = Schema.Struct({
  token: OneTimeSecret.pipe(field(
    "The secret at the end of the mailed link, of 1 to 200 characters; it works once",
    "q3n1Rk0yb5VhT8sW2mJdX7cLzF4gP9aEuK6oYiQwB1M"
  ))
})

/** Unknown, used and expired have the same answer. */
export class TokenInvalid extends ApiError<TokenInvalid>()("TokenInvalid", {
  status: 422,
  code: "token_invalid",
  message: {
    en: "The link is unknown, used or expired: ask for a new one",
    "pt-BR": "O link é inválido, já foi usado ou expirou: peça outro."
  }
}) {}
