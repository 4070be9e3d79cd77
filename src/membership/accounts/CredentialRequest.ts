import { type Redacted, Schema } from "effect"
import { OrganizationId } from "../../identity/ids/ClubId.ts"
import { Locale } from "../../platform/http/Locale.ts"

/** What somebody asked to be mailed about an address. */
export const RequestKind = Schema.Literals(["sign_up", "resend", "forgot", "access"])
export type RequestKind = typeof RequestKind.Type

/** What is asked with nothing but the address. */
export type AskedKind = Exclude<RequestKind, "sign_up">

/** What a person enters to sign up. */
export interface Entered {
  readonly name: string
  readonly email: string
  readonly password: Redacted.Redacted
  readonly registration_code?: string | undefined
}

/** A row of `credential_requests`. `organization_id` is null for administrators, `failures` counts faults of ours. */
export const RequestRow = Schema.Struct({
  id: Schema.String,
  kind: RequestKind,
  organization_id: Schema.NullOr(OrganizationId),
  email: Schema.String,
  locale: Locale,
  sign_up_id: Schema.NullOr(Schema.String),
  failures: Schema.Int
})
