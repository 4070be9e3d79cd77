import { Schema } from "effect"
import { OrganizationId } from "../../identity/ids/ClubId.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { PersonName } from "../../identity/people/PersonName.ts"
import { field } from "../../platform/http/Field.ts"
import { Locale } from "../../platform/http/Locale.ts"
import { Instant } from "../../platform/schema/Instant.ts"

/** A student's account as they see it themselves, with the club that it belongs to. */
export const OwnAccount = Schema.Struct({
  id: StudentId.pipe(field("Names the student, in this club alone")),
  name: Schema.String.pipe(field("The student's name, which others of the club see", "Bia Lima")),
  email: Schema.String.annotate({ format: "email" })
    .pipe(field("The address that they sign in with; the staff can change it", "bia.lima@example.com")),
  has_password: Schema.Boolean.pipe(field("True if they have chosen a password; others sign in by mailed codes")),
  created_at: Instant.pipe(field("When the account was created")),
  club: Schema.Struct({
    organization_id: OrganizationId.pipe(field("The club's public id: what stands for `clubId` in paths")),
    name: Schema.String.pipe(field("The club's name", "Flauta Fácil")),
    slug: Schema.String.pipe(field("A short name for addresses that no other club has", "flauta-facil")),
    time_zone: Schema.String.pipe(field("Where the club's day starts and ends, as an IANA name", "America/Sao_Paulo")),
    locale: Locale.pipe(field("The language of the club's mails"))
  }).pipe(field("The club that the account belongs to"))
}).annotate({ identifier: "OwnAccount", description: "A student's own account, and its club" })
export type OwnAccount = typeof OwnAccount.Type

/** The name of 1 to 200 characters. */
export const OwnAccountPatch = Schema.Struct({
  name: Schema.optionalKey(PersonName)
    .pipe(field("The student's name, of 1 to 200 characters; unchanged without it", "Bia Souza"))
})
export type OwnAccountPatch = typeof OwnAccountPatch.Type
