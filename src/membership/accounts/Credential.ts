import { Schema } from "effect"
import { OrganizationId } from "../../identity/ids/ClubId.ts"
import { PersonName } from "../../identity/people/PersonName.ts"
import { Session } from "../../identity/people/Session.ts"
import { OneTimeSecret } from "../../identity/tokens/TokenPayload.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { Email, text } from "../../platform/http/Text.ts"

/** Contract, Endpoints rule 4: a floor and a ceiling, no composition rules. */
const Password = Schema.RedactedFromValue(text(8, 1024))

/** A password to compare. Has no lower bound, since older rules may have accepted it. */
const PasswordAttempt = Schema.RedactedFromValue(text(0, 1024))

/** Student routes without a club in the path have it in the body, since a student belongs to one club. */
const inClub = { club_id: OrganizationId }

/** What an administrator signs up with. */
export const AdminSignUp = Schema.Struct({ name: PersonName, email: Email, password: Password })
/** What a student signs up with; a closed club asks for a registration code. */
export const StudentSignUp = Schema.Struct({
  ...inClub,
  ...AdminSignUp.fields,
  registration_code: Schema.optionalKey(text(1, 64))
})
/** An administrator's address to mail to. */
export const AdminAddress = Schema.Struct({ email: Email })
/** A student's address to mail to. */
export const StudentAddress = Schema.Struct({ ...inClub, email: Email })
/** What an administrator signs in with. */
export const AdminSignIn = Schema.Struct({ email: Email, password: PasswordAttempt })
/** What a student signs in with. */
export const StudentSignIn = Schema.Struct({ ...inClub, ...AdminSignIn.fields })
/** An access code. */
export const CodePayload = Schema.Struct({ code: OneTimeSecret })
/** The secret of a reset link and the new password. */
export const ResetPayload = Schema.Struct({ token: OneTimeSecret, password: Password })
/** The current password and the new one. */
export const ChangePayload = Schema.Struct({ current_password: PasswordAttempt, password: Password })

/** The request was accepted, whatever the address is; a mail may follow. */
export const Accepted = Schema.Struct({ accepted: Schema.Literal(true) })
/** The link of a sign-up was used. */
export const Verified = Schema.Struct({ verified: Schema.Literal(true) })
/** A new password was set by a link. */
export const Reset = Schema.Struct({ reset: Schema.Literal(true) })
/** A known password was changed. */
export const Changed = Schema.Struct({ changed: Schema.Literal(true) })

/** The answer to a sign-in or an exchanged code. The token is shown once. */
export const SessionGrant = Schema.Struct({
  access_token: Schema.RedactedFromValue(Schema.String),
  token_type: Schema.Literal("Bearer"),
  expires_at: Schema.DateTimeUtcFromDate,
  session: Session
}).annotate({ identifier: "Grant" })

/** An unknown address and a wrong password have the same answer. */
export class InvalidCredentials extends ApiError<InvalidCredentials>()("InvalidCredentials", {
  status: 401,
  code: "invalid_credentials",
  message: "The e-mail or the password is wrong: check both, or ask for a new password"
}) {}

/** Only answered where the password is right. */
export class EmailNotVerified extends ApiError<EmailNotVerified>()("EmailNotVerified", {
  status: 403,
  code: "email_not_verified",
  message: "The link in the confirmation e-mail has not been used yet: open it, or ask for a new one"
}) {}

/** Unknown, used and expired have the same answer. */
export class CodeInvalid extends ApiError<CodeInvalid>()("CodeInvalid", {
  status: 422,
  code: "code_invalid",
  message: "The code is unknown, used or expired: ask for a new one"
}) {}
