import { Schema } from "effect"
import { OrganizationId } from "../../clubs/Club.ts"
import { ApiError } from "../../http/ApiError.ts"
import { Email, text } from "../../http/Text.ts"
import { Session } from "../sessions/Session.ts"

/** Contract, Limits: sign-up name 1 to 200 characters. */
export const PersonName = text(1, 200)

/** Contract, Endpoints rule 4: a floor and a ceiling, no composition rules. */
export const Password = Schema.RedactedFromValue(text(8, 1024))

/** What is compared with a password may be anything that could ever have been one. */
const PasswordAttempt = Schema.RedactedFromValue(text(0, 1024))

const OneTimeSecret = Schema.RedactedFromValue(text(1, 200))

/** Every student route outside a club's path names the club, since a student is of one club. */
const inClub = { club_id: OrganizationId }

export const AdminSignUp = Schema.Struct({ name: PersonName, email: Email, password: Password })
export const StudentSignUp = Schema.Struct({
  ...inClub,
  ...AdminSignUp.fields,
  registration_code: Schema.optionalKey(text(1, 64))
})
export const AdminAddress = Schema.Struct({ email: Email })
export const StudentAddress = Schema.Struct({ ...inClub, email: Email })
export const AdminSignIn = Schema.Struct({ email: Email, password: PasswordAttempt })
export const StudentSignIn = Schema.Struct({ ...inClub, ...AdminSignIn.fields })
export const TokenPayload = Schema.Struct({ token: OneTimeSecret })
export const CodePayload = Schema.Struct({ code: OneTimeSecret })
export const ResetPayload = Schema.Struct({ token: OneTimeSecret, password: Password })
export const ChangePayload = Schema.Struct({ current_password: PasswordAttempt, password: Password })

export const Accepted = Schema.Struct({ accepted: Schema.Literal(true) })
export const Verified = Schema.Struct({ verified: Schema.Literal(true) })
export const Reset = Schema.Struct({ reset: Schema.Literal(true) })
export const Changed = Schema.Struct({ changed: Schema.Literal(true) })

/** What a sign-in or an exchanged code answers. The token is shown once. */
export const Grant = Schema.Struct({
  access_token: Schema.RedactedFromValue(Schema.String),
  token_type: Schema.Literal("Bearer"),
  expires_at: Schema.DateTimeUtcFromDate,
  session: Session
}).annotate({ identifier: "Grant" })

export class InvalidCredentials extends ApiError<InvalidCredentials>()("InvalidCredentials", {
  status: 401,
  code: "invalid_credentials",
  message: "The e-mail or the password is wrong"
}) {}

/** Only told to who knows the password. */
export class EmailNotVerified extends ApiError<EmailNotVerified>()("EmailNotVerified", {
  status: 403,
  code: "email_not_verified",
  message: "The link in the confirmation e-mail has not been used yet"
}) {}

/** Unknown, used and expired are one answer. */
export class TokenInvalid extends ApiError<TokenInvalid>()("TokenInvalid", {
  status: 422,
  code: "token_invalid",
  message: "The link is unknown, used or expired"
}) {}

export class CodeInvalid extends ApiError<CodeInvalid>()("CodeInvalid", {
  status: 422,
  code: "code_invalid",
  message: "The code is unknown, used or expired"
}) {}
