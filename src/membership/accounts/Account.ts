import { type Option, Schema } from "effect"
import { ClubId, OrganizationId } from "../../identity/ids/ClubId.ts"
import type { Holder } from "../../identity/people/Holder.ts"
import type { Realm } from "../../identity/people/Realm.ts"
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

/** All null but the last: no account. */
export const CandidateRow = Schema.Struct({
  club_id: Schema.NullOr(ClubId),
  id: Schema.NullOr(Schema.String),
  password_hash: Schema.NullOr(Schema.String),
  pending_hash: Schema.NullOr(Schema.String)
})

/** An account with what it takes to write to its holder. `club_name` is a student's club. */
export interface Account {
  readonly holder: Holder
  readonly realm: Realm
  readonly name: string
  readonly email: string
  readonly locale: Locale
  readonly club_name: string | null
  readonly password_hash: string | null
}

/** Who might be signing in. `pending_hash` is of the latest sign-up with the address, whether or not it has an account. */
export interface Candidate {
  readonly account: Option.Option<{ readonly holder: Holder; readonly password_hash: string }>
  readonly pending_hash: string | null
}
