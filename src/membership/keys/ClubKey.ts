import { Option, Result, Schema } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import { OrganizationId } from "../../identity/ids/ClubId.ts"
import { ClubKeyId } from "../../identity/ids/ClubKeyId.ts"
import { UserId } from "../../identity/ids/UserId.ts"
import { Role } from "../../identity/people/Role.ts"
import { Scope, scopeCount } from "../../identity/people/Scope.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { text } from "../../platform/http/Text.ts"
import { Timestamp } from "../../platform/http/Timestamp.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { InstantOrNull } from "../../platform/schema/Instant.ts"

/** The most active keys of a club, including those without a holder. */
export const keyLimit = 100

/** The most replaced tokens of a key that work at a time, as with the secrets of webhooks. */
export const overlapLimit = 5

/** The roles that a key may have: a club's owner is a person. */
export const KeyRole = Schema.Literals(["admin", "editor", "support", "viewer"])

const roleIs =
  "The role that the key acts in: `admin` does everything that a key may, `editor` content and community, `support` students and conversations, `viewer` only reads"
const scopesAre = "Areas of the API, each with `:read`, which reads, or `:write`, which reads and writes"
const networksAre = "The networks in CIDR notation from which it may be used; empty: everywhere"

const name = text(1, 80).pipe(field("The key's name in its club, of 1 to 80 characters", "Order system"))

const isNetwork = (text: string): boolean => {
  const network = Result.getSuccess(IpNetwork.fromString(text))
  // Addresses are compared as IPv4 if possible, so a mapped network would never match.
  return Option.exists(
    network,
    ({ address }) => NetAddress.isIpv4Address(address) || !NetAddress.isIpv4Mapped(address)
  )
}

const Network = Schema.String.check(
  Schema.isMaxLength(43),
  Schema.makeFilter(isNetwork, { expected: "a network in CIDR notation such as 203.0.113.0/24, with no host bits set" })
)

const networks = Schema.Array(Network).check(Schema.isMaxLength(20))

/** A key's state today. */
const KeyStatus = Schema.Literals(["active", "expired", "revoked", "unowned"])

const Holder = Schema.Struct({
  id: UserId.pipe(field("The account's id")),
  name: Schema.String.pipe(field("The person's name", "Ana Souza"))
}).annotate({ identifier: "KeyHolder", description: "The member of the club whose right a key shares" })

/** A key of a club, without its token. */
export const ClubKey = Schema.Struct({
  id: ClubKeyId.pipe(field("Names the key where it is changed or revoked")),
  name: Schema.String.pipe(field("The key's name in its club", "Order system")),
  prefix: Schema.String
    .pipe(field("The 8 characters after `turma_` in its token: they tell which key a token belongs to", "h7Tq2XwA")),
  status: KeyStatus
    .pipe(field("`active` works; `expired` and `revoked` have ended for good. `unowned` does not work until an administrator takes it over: the member it acted for left the club")),
  role: Schema.NullOr(KeyRole).pipe(field(`${roleIs}. Null where its scopes alone say it`, "editor")),
  scopes: Schema.NullOr(Schema.Array(Scope))
    .pipe(field(`${scopesAre}. Null where its role alone says it`, ["students:read", "community:write"])),
  allowed_networks: Schema.Array(Schema.String).pipe(field(networksAre, ["203.0.113.0/24"])),
  holder: Schema.NullOr(Holder)
    .pipe(field("The member whose right it shares: it may never do more than they may today. Null once they left the club")),
  created_at: Instant.pipe(field("When it was created")),
  expires_at: InstantOrNull.pipe(field("When it ends by itself; null if it does not")),
  revoked_at: InstantOrNull.pipe(field("When it was revoked; null if it was not")),
  previous_token_ends_at: InstantOrNull
    .pipe(field("Until when the token before the last rotation also works; null if it does not")),
  last_used_at: InstantOrNull.pipe(field("When it was last used, to ten minutes; null if it never was")),
  last_used_address: Schema.NullOr(Schema.String)
    .pipe(field("The address from which it was used then; null if it is not known", "203.0.113.7"))
}).annotate({
  identifier: "ClubKey",
  description: "A key with which a club's own servers, terminals and agents come in. Its token is shown once"
})
export type ClubKey = typeof ClubKey.Type

/** A key with its token, which is shown once. */
export const ClubKeyWithToken = Schema.Struct({
  ...ClubKey.fields,
  token: Schema.RedactedFromValue(Schema.String).pipe(field(
    "Send it as `Authorization: Bearer <token>`. It is never shown again",
    "turma_h7Tq2XwA_0J8dPq3ZkVw1RrT6bYc9NfXeLmHs2GuA5tKvQyDoB7iEj4xWl"
  ))
}).annotate({ identifier: "ClubKeyWithToken", description: "A key of a club with its token" })
export type ClubKeyWithToken = typeof ClubKeyWithToken.Type

/** The key that asks, and its club. */
export const OwnKey = Schema.Struct({
  ...ClubKey.fields,
  organization_id: OrganizationId.pipe(field("The public id of the key's club: stands for `clubId` in paths")),
  club_name: Schema.String.pipe(field("The club's name", "Violão Fácil")),
  acts_as: Role.pipe(field(
    "The role that it acts in today: its own, or the highest of a key where it has scopes, no higher than its holder's",
    "editor"
  ))
}).annotate({ identifier: "OwnKey", description: "The key that asks" })
export type OwnKey = typeof OwnKey.Type

const right = Schema.makeFilter(
  ({ role, scopes }: { readonly role?: unknown; readonly scopes?: unknown }) =>
    role !== undefined || scopes !== undefined,
  { expected: "must have role, scopes or both" }
)

/** A new key. */
export const CreateClubKey = Schema.Struct({
  name,
  role: Schema.optionalKey(KeyRole)
    .pipe(field(`${roleIs}. With scopes as well, it may do what both allow; \`admin\` if absent`, "editor")),
  scopes: Schema
    .optionalKey(Schema.Array(Scope).check(Schema.isMinLength(1), Schema.isMaxLength(scopeCount), Schema.isUnique()))
    .pipe(field(`${scopesAre}. Without, it may all that its role may`, ["students:read", "community:write"])),
  allowed_networks: Schema.optionalKey(networks).pipe(field(`${networksAre}. At most 20`, ["203.0.113.0/24"])),
  expires_at: Schema.optionalKey(Schema.NullOr(Timestamp))
    .pipe(field("When it ends by itself, in the future; null or absent if it does not", "2027-11-25T12:00:00.000Z"))
}).check(right)

/** The fields of a key that may change. Its right stays: another right is another key. */
export const PatchClubKey = Schema.Struct({
  name: Schema.optionalKey(name),
  allowed_networks: Schema.optionalKey(networks).pipe(field(`${networksAre}. At most 20`, ["203.0.113.0/24"])),
  expires_at: Schema.optionalKey(Schema.NullOr(Timestamp))
    .pipe(field("When it ends by itself, in the future; null if it does not", "2027-11-25T12:00:00.000Z"))
})

/** The club has as many keys that have not ended as it may. */
export class KeyLimitReached extends ApiError<KeyLimitReached>()("KeyLimitReached", {
  status: 409,
  code: "key_limit_reached",
  message: {
    en: `A club has at most ${keyLimit} keys that have not ended: revoke one that is not used`,
    "pt-BR": "O clube chegou ao máximo de chaves: revogue uma que não esteja em uso."
  }
}) {}

/** Too many of its replaced tokens work still. */
export class KeyRotationLimitReached extends ApiError<KeyRotationLimitReached>()("KeyRotationLimitReached", {
  status: 409,
  code: "key_rotation_limit_reached",
  message: {
    en: `The last ${overlapLimit} tokens that were replaced still work: rotate again once the oldest has ended`,
    "pt-BR": "Os últimos tokens trocados ainda funcionam: troque de novo quando o mais antigo expirar."
  }
}) {}

/** It has expired or was revoked, for good. */
export class KeyEnded extends ApiError<KeyEnded>()("KeyEnded", {
  status: 409,
  code: "key_ended",
  message: {
    en: "The key has expired or was revoked: make a new one",
    "pt-BR": "A chave expirou ou foi revogada: crie outra."
  }
}) {}

/** A key that would have ended before it began. */
export class ExpiresInPast extends ApiError<ExpiresInPast>()("ExpiresInPast", {
  status: 422,
  code: "expires_in_past",
  message: {
    en: "expires_at must be in the future",
    "pt-BR": "O fim precisa estar no futuro."
  }
}) {}
