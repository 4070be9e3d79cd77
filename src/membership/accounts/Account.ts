import { type Option, Schema } from "effect"
import { ClubId, OrganizationId } from "../../identity/ids/ClubId.ts"
import type { AccountScope } from "../../identity/people/AccountScope.ts"
import type { Holder } from "../../identity/people/Holder.ts"
import { Locale } from "../../platform/http/Locale.ts"

/** A row of `users` or, with a club, of `students`. */
export const AccountRow = Schema.Struct({
  club_id: Schema.NullOr(ClubId),
  id: Schema.String,
  name: Schema.String,
  email: Schema.String,
  locale: Locale,
  organization_id: Schema.NullOr(OrganizationId),
  club_name: Schema.NullOr(Schema.String),
  password_hash: Schema.NullOr(Schema.String)
})

/** Without an account all but `pending_hash` is null. */
export const CandidateRow = Schema.Struct({
  club_id: Schema.NullOr(ClubId),
  id: Schema.NullOr(Schema.String),
  password_hash: Schema.NullOr(Schema.String),
  pending_hash: Schema.NullOr(Schema.String)
})

/** An account with the data for a mail to its holder. `club_name` is a student's club. */
export interface Account {
  readonly holder: Holder
  readonly scope: AccountScope
  readonly name: string
  readonly email: string
  readonly locale: Locale
  readonly club_name: string | null
  readonly password_hash: string | null
}

/**
 * The account and the pending sign-up of an address. `pending_hash` comes from its latest sign-up, with or without an
 * account.
 */
export interface Candidate {
  readonly account: Option.Option<{ readonly holder: Holder; readonly password_hash: string }>
  readonly pending_hash: string | null
}
