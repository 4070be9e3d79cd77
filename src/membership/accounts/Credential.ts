import { Schema } from "effect"
import { OrganizationId } from "../../identity/ids/ClubId.ts"
import { PersonName } from "../../identity/people/PersonName.ts"
import { endsUnlessUsed, Session } from "../../identity/people/Session.ts"
import { OneTimeSecret } from "../../identity/tokens/TokenPayload.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { anyText, Email, KnownEmail } from "../../platform/http/Text.ts"
import { Instant } from "../../platform/schema/Instant.ts"

/** Contract, Endpoints rule 4: a floor and a ceiling, no composition rules. */
const Password = Schema.RedactedFromValue(anyText(8, 1024).annotate({ format: "password" }))
  .pipe(field("The password to have from now on: 8 to 1024 characters of any kind", "violao e voz"))

/** A password to compare. Has no lower bound, since older rules may have accepted it. */
const PasswordAttempt = Schema.RedactedFromValue(anyText(0, 1024).annotate({ format: "password" }))
  .pipe(field("The password as it is at present, of up to 1024 characters", "violao e voz"))

/** Student routes without a club in the path have it in the body, since a student belongs to one club. */
const inClub = {
  club_id: OrganizationId.pipe(field("The public id of the club in which the person is or becomes a student"))
}

const addressIs = "The e-mail address of the account, of up to 320 characters, in any case of letters"
const address = KnownEmail.pipe(field(addressIs, "ana@school.example"))

const secretCode = OneTimeSecret
  .pipe(field("The code that was mailed, of 1 to 200 characters; it works once, for 15 minutes", "7KQ2M9XA"))

const resetToken = OneTimeSecret.pipe(field(
  "The secret at the end of the mailed link, of 1 to 200 characters; it works once, for an hour",
  "q3n1Rk0yb5VhT8sW2mJdX7cLzF4gP9aEuK6oYiQwB1M"
))

/** The body of an administrator's sign-up. */
export const AdminSignUp = Schema.Struct({
  name: PersonName.pipe(field("The person's name, of 1 to 200 characters", "Ana Souza")),
  email: Email.pipe(field(addressIs, "ana@school.example")),
  password: Password
})
/** The body of a student's sign-up. A closed club asks for a registration code. */
export const StudentSignUp = Schema.Struct({
  ...inClub,
  ...AdminSignUp.fields,
  registration_code: Schema.optionalKey(anyText(1, 64)).pipe(field(
    "The `code` of a registration link of the club, of 1 to 64 characters: a closed club lets nobody in without one. The new student gets the link's delivery",
    "k3v9x2m7q1"
  ))
})
/** An administrator's address to mail to. */
export const AdminAddress = Schema.Struct({ email: address })
/** A student's address to mail to. */
export const StudentAddress = Schema.Struct({ ...inClub, email: address })
/** A student's address to mail a link to sign in with, and the page of the classroom that it opens. */
export const StudentAccess = Schema.Struct({
  ...StudentAddress.fields,
  next: Schema.optionalKey(anyText(0, 200)).pipe(field(
    "The page of our classroom that the link opens, of up to 200 characters. Without such a page the link opens the first one",
    "lessons/respirar?t=90"
  ))
})
/** The body of an administrator's sign-in. */
export const AdminSignIn = Schema.Struct({ email: address, password: PasswordAttempt })
/** The body of a student's sign-in. */
export const StudentSignIn = Schema.Struct({ ...inClub, ...AdminSignIn.fields })
/** An access code. An app that keeps the session in a cookie sends the address too: the code may be in anybody's link. */
export const CodePayload = Schema.Struct({
  code: secretCode,
  email: Schema.optionalKey(KnownEmail).pipe(field(
    "The address that the code was mailed to, as the person enters it. With it, a code of another address is refused and stays unused. An app that signs in by a link asks for it: otherwise somebody else's link would sign the person in to their account",
    "ana@school.example"
  ))
})
/** The secret of a reset link and the new password. */
export const ResetPayload = Schema.Struct({ token: resetToken, password: Password })
/** The current password and the new one. */
export const ChangePayload = Schema.Struct({ current_password: PasswordAttempt, password: Password })

/** The request was accepted, whatever the address is; a mail may follow. */
export const Accepted = Schema.Struct({
  accepted: Schema.Literal(true)
    .pipe(field("Always true, even if the address has no account: the mail says what happens next"))
})
/** The link of a sign-up was used. */
export const Verified = Schema.Struct({
  verified: Schema.Literal(true).pipe(field("Always true: the address is proven, and the account may sign in"))
})
/** A link has set a new password. */
export const Reset = Schema.Struct({
  reset: Schema.Literal(true).pipe(field("Always true: the new password is in force, and every session has ended"))
})
/** A known password was changed. */
export const Changed = Schema.Struct({
  changed: Schema.Literal(true)
    .pipe(field("Always true: the new password is in force, and every other session has ended"))
})

/** The answer to a sign-in or an exchanged code. The token is shown once. */
export const SessionGrant = Schema.Struct({
  access_token: Schema.RedactedFromValue(Schema.String).pipe(field(
    "The session's token, for the header `Authorization: Bearer …`. It is shown here alone, and has nothing to read in it",
    "Zp0h8R2k5uVxQmT1nYwB7cLdE9aJ3sGfK6oPiXrWq4M"
  )),
  token_type: Schema.Literal("Bearer").pipe(field("How the token is sent")),
  expires_at: Instant.pipe(field(endsUnlessUsed)),
  session: Session.pipe(field("The session that began"))
}).annotate({ identifier: "Grant", description: "A session that has just begun, with its token" })

/** An unknown address and a wrong password have the same answer. */
export class InvalidCredentials extends ApiError<InvalidCredentials>()("InvalidCredentials", {
  status: 401,
  code: "invalid_credentials",
  message: {
    en: "The e-mail or the password is wrong: check both, or ask for a new password",
    "pt-BR": "O e-mail ou a senha não confere: verifique os dois ou peça uma nova senha."
  }
}) {}

/** Only answered for the right password. */
export class EmailNotVerified extends ApiError<EmailNotVerified>()("EmailNotVerified", {
  status: 403,
  code: "email_not_verified",
  message: {
    en: "The link in the confirmation e-mail has not been used yet: open it, or ask for a new one",
    "pt-BR": "O link do e-mail de confirmação ainda não foi usado: abra-o ou peça outro."
  }
}) {}

/** Unknown, used, expired and of another address have the same answer. */
export class CodeInvalid extends ApiError<CodeInvalid>()("CodeInvalid", {
  status: 422,
  code: "code_invalid",
  message: {
    en: "The code is unknown, used, expired or of another address: ask for a new one",
    "pt-BR": "O código é inválido, já foi usado, expirou ou é de outro endereço: peça outro."
  }
}) {}
