import { type Redacted, Schema } from "effect"
import { OrganizationId } from "../../identity/ids/ClubId.ts"
import { NextPage } from "../../identity/tokens/NextPage.ts"
import { Locale } from "../../platform/http/Locale.ts"

/** The kinds of requests that are answered by mail. */
export const RequestKind = Schema.Literals(["sign_up", "resend", "forgot", "access"])
export type RequestKind = typeof RequestKind.Type

/** Requests that consist of an address alone. */
export type AddressRequestKind = Exclude<RequestKind, "sign_up">

/** The entries of a sign-up. */
export interface SignUpEntry {
  readonly name: string
  readonly email: string
  readonly password: Redacted.Redacted
  readonly registration_code?: string | undefined
}

/**
 * A row of `credential_requests`. `organization_id` is null for administrators. `next` is the page that the link of the mail
 * leads to, if it is not the home. `failures` counts failed attempts to answer it.
 */
export const RequestRow = Schema.Struct({
  id: Schema.String,
  kind: RequestKind,
  organization_id: Schema.NullOr(OrganizationId),
  email: Schema.String,
  locale: Locale,
  sign_up_id: Schema.NullOr(Schema.String),
  next: Schema.NullOr(NextPage),
  failures: Schema.Int
})
