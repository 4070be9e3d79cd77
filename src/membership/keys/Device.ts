import { Schema } from "effect"
import { OrganizationId } from "../../identity/ids/ClubId.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { anyText, text } from "../../platform/http/Text.ts"
import { ClubKeyWithToken, KeyRole } from "./ClubKey.ts"

/** Letters that are not taken for one another and spell no words (RFC 8628, 6.1). */
export const userCodeLetters = "BCDFGHJKLMNPQRSTVWXZ"

/** How long a code can be entered, and a terminal waits. */
export const deviceMinutes = 10

/**
 * The shortest time between two requests of a terminal, in seconds. An address has ten such requests a minute, which a
 * terminal and its administrator often share. The terminal takes six. That leaves four to sign in, choose a club and
 * mistype.
 */
export const deviceInterval = 10

/** The code that a person typed, in capitals and without the dash. */
export const normalUserCode = (entered: string): string => entered.toUpperCase().replaceAll(/[\s-]/g, "")

const deviceCodeIs = "The terminal's own secret, with which it gets its key, once"

/** A terminal that wants a key. */
export const BeginDevice = Schema.Struct({
  name: text(1, 80)
    .pipe(field("The key's name in the club's list, of 1 to 80 characters", "Command line on ana-laptop"))
})

/** The codes of a terminal: one that it shows to a person, and one that it waits with. */
export const DeviceLogin = Schema.Struct({
  device_code: Schema.RedactedFromValue(Schema.String)
    .pipe(field(deviceCodeIs, "q3n1Rk0yb5VhT8sW2mJdX7cLzF4gP9aEuK6oYiQwB1M")),
  user_code: Schema.String.pipe(field("The code on the terminal, for an administrator to enter", "BDWP-HQPK")),
  verification_url: Schema.String.annotate({ format: "uri" })
    .pipe(field("The page where an administrator enters it", "https://turma.example/account/terminal")),
  verification_url_complete: Schema.String.annotate({ format: "uri" })
    .pipe(field("The same page with the code filled in", "https://turma.example/account/terminal?code=BDWP-HQPK")),
  expires_at: Schema.DateTimeUtc.pipe(field(`Until when it works: ${deviceMinutes} minutes`)),
  interval_seconds: Schema.Int
    .pipe(field("How many seconds the terminal waits at least before it asks again", deviceInterval))
}).annotate({ identifier: "DeviceLogin", description: "A terminal that waits for an administrator to let it in" })

/** The body of a terminal's request for its key. */
export const DeviceToken = Schema.Struct({
  device_code: Schema.RedactedFromValue(anyText(1, 200))
    .pipe(field(`${deviceCodeIs}, of 1 to 200 characters`, "q3n1Rk0yb5VhT8sW2mJdX7cLzF4gP9aEuK6oYiQwB1M"))
})

/** The key that a terminal gets. */
export const DeviceKey = Schema.Struct({
  ...ClubKeyWithToken.fields,
  organization_id: OrganizationId.pipe(field("The public id of the key's club: stands for `clubId` in paths")),
  club_name: Schema.String.pipe(field("The club's name", "Violão Fácil"))
}).annotate({ identifier: "DeviceKey", description: "A key of a club with its token, for the terminal that waited" })

/** An administrator lets a terminal in. */
export const ApproveDevice = Schema.Struct({
  user_code: anyText(1, 20)
    .pipe(field("The code that the terminal shows, of 1 to 20 characters, in capitals or not", "BDWP-HQPK")),
  role: KeyRole.pipe(field("The role of its key", "support"))
})

/** The approved terminal. */
export const ApprovedDevice = Schema.Struct({
  name: Schema.String.pipe(field("Its key's name", "Command line on ana-laptop"))
}).annotate({ identifier: "ApprovedDevice", description: "A terminal that an administrator has let in" })

/** Unknown, used and expired have the same answer. */
export class DeviceCodeInvalid extends ApiError<DeviceCodeInvalid>()("DeviceCodeInvalid", {
  status: 422,
  code: "device_code_invalid",
  message: {
    en: "The code is unknown, used or expired: start again in the terminal",
    "pt-BR": "O código é inválido, já foi usado ou expirou: comece de novo no terminal."
  }
}) {}

/** Nobody has let the terminal in yet. */
export class AuthorizationPending extends ApiError<AuthorizationPending>()("AuthorizationPending", {
  status: 409,
  code: "authorization_pending",
  message: {
    en: `Nobody has entered the code yet: ask again in ${deviceInterval} seconds`,
    "pt-BR": "Ninguém digitou o código ainda: tente de novo em alguns segundos."
  }
}) {}
