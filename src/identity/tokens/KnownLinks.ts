import { DateTime, Effect, Option, type Redacted, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { first } from "../../platform/sql/Rows.ts"
import { ClubId } from "../ids/ClubId.ts"
import type { AccountScope } from "../people/AccountScope.ts"
import { type Holder, holderOf } from "../people/Holder.ts"
import { hashToken, isToken } from "./Token.ts"

const LinkRow = Schema.Struct({
  club_id: Schema.NullOr(ClubId),
  id: Schema.String,
  name: Schema.String,
  email: Schema.String,
  open: Schema.Boolean
})

const SignUpRow = Schema.Struct({
  name: Schema.String,
  email: Schema.String,
  open: Schema.Boolean,
  used: Schema.Boolean
})

/** The account of a link. `open`: the link works. Otherwise it was used, or it is too old. */
interface KnownLink {
  readonly holder: Holder
  readonly name: string
  readonly email: string
  readonly open: boolean
}

/** The entries of a sign-up whose link this is. `used`: it has become an account. */
interface KnownSignUp {
  readonly name: string
  readonly email: string
  readonly open: boolean
  readonly used: boolean
}

/** Reads the accounts of links without using the links. */
export interface KnownLinks {
  readonly look: (
    purpose: "reset" | "access",
    scope: AccountScope,
    token: Redacted.Redacted
  ) => Effect.Effect<Option.Option<KnownLink>>
  readonly lookAtSignUp: (scope: AccountScope, token: Redacted.Redacted) => Effect.Effect<Option.Option<KnownSignUp>>
}

const decodeLink = first(LinkRow)
const decodeSignUp = first(SignUpRow)

/** A condition on `one_time_tokens t`: the link works. */
export const isOpenLink = (sql: SqlClient.SqlClient, now: Date): Fragment =>
  sql`t.used_at is null and t.expires_at > ${now}`

/** Reads links of the accounts in a scope. */
export const knownLinks = (sql: SqlClient.SqlClient): KnownLinks => {
  const accountsIn = (scope: AccountScope) =>
    scope.kind === "admin"
      ? sql`null::uuid as club_id, o.id, o.name, o.email from one_time_tokens t join users o on o.id = t.user_id`
      : sql`
        o.club_id, o.id, o.name, o.email from one_time_tokens t
        join students o on o.club_id = t.club_id and o.id = t.student_id and o.removed_at is null
        join clubs c on c.id = o.club_id and c.organization_id = ${scope.organization_id}`

  const look = Effect.fn("KnownLinks.look")(function*(
    purpose: "reset" | "access",
    scope: AccountScope,
    token: Redacted.Redacted
  ) {
    if (!isToken(token)) return Option.none()
    const now = DateTime.toDateUtc(yield* DateTime.now)
    const found = yield* sql`
      select ${isOpenLink(sql, now)} as open, ${accountsIn(scope)}
      where t.token_hash = ${hashToken(token)} and t.purpose = ${purpose}`.pipe(decodeLink)
    return Option.map(found, ({ club_id, id, ...rest }): KnownLink => ({ ...rest, holder: holderOf(club_id, id) }))
  })

  const lookAtSignUp = Effect.fn("KnownLinks.lookAtSignUp")(function*(
    scope: AccountScope,
    token: Redacted.Redacted
  ) {
    if (!isToken(token)) return Option.none()
    const now = DateTime.toDateUtc(yield* DateTime.now)
    const organization_id = scope.kind === "admin" ? null : scope.organization_id
    const isOpen = isOpenLink(sql, now)
    return yield* sql`
      select s.name, s.email, s.password_hash is null as used, ${isOpen} and s.password_hash is not null as open
      from one_time_tokens t join sign_ups s on s.id = t.sign_up_id
      where t.token_hash = ${hashToken(token)} and t.purpose = 'confirm'
        and s.organization_id is not distinct from ${organization_id}::uuid`.pipe(decodeSignUp)
  })

  return { look, lookAtSignUp }
}
