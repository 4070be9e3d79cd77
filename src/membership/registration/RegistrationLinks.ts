import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Base64Url from "effect/encoding/Base64Url"
import { SqlClient } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import { creates } from "../../identity/audit/NewAuditEntry.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { SessionClub } from "../../identity/people/Identity.ts"
import { Links } from "../../identity/tokens/Links.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { afterCursor, type InvalidCursor, type PageAnswer, pageOf, type PageRequest } from "../../platform/http/Page.ts"
import { instant } from "../../platform/sql/Arrays.ts"
import { faultsDie, first, firstOr, rows } from "../../platform/sql/Rows.ts"
import { CohortOfOtherDelivery, DeliveryUnknown } from "../access/Enrollment.ts"
import {
  type CreateRegistrationLink,
  MaxUsesBelowUses,
  RegistrationLink,
  type RegistrationLinkId,
  type RegistrationLinkPatch
} from "./RegistrationLink.ts"

/** The grant of a link. Nulls: only permission to sign up. */
const LinkGrant = Schema.Struct({
  delivery_id: RegistrationLink.fields.delivery_id,
  cohort_id: RegistrationLink.fields.cohort_id
})
export type LinkGrant = typeof LinkGrant.Type

const { url: _, ...stored } = RegistrationLink.fields
const StoredLink = Schema.Struct(stored)
const decodeLinks = rows(StoredLink)
const decodeLink = firstOr(StoredLink, () => new NotFound())
const decodeCreated = firstOr(StoredLink, () => new DeliveryUnknown())
const decodeGrant = first(LinkGrant)

/** 128 random bits, which nobody guesses; 22 characters of base64url. */
const codeBytes = 16

type Club = Pick<SessionClub, "id" | "organization_id">

/**
 * Codes that let a person sign up in a club, also in a closed one, with their grants. A code of another club is
 * unknown. `NotFound`: this club has no such link.
 */
export class RegistrationLinks extends Context.Service<RegistrationLinks, {
  /** True if the code can be used now. */
  usable(club_id: ClubId, code: string): Effect.Effect<boolean>
  /**
   * Counts one use and answers its grant. Empty if the code is unknown, expired or used up. Of concurrent calls for the
   * last use one succeeds.
   */
  use(club_id: ClubId, code: string): Effect.Effect<Option.Option<LinkGrant>>
  /** Oldest first. */
  list(club: Club, page: PageRequest): Effect.Effect<PageAnswer<RegistrationLink>, InvalidCursor>
  get(club: Club, id: RegistrationLinkId): Effect.Effect<RegistrationLink, NotFound>
  create(
    club: Club,
    link: typeof CreateRegistrationLink.Type
  ): Effect.Effect<RegistrationLink, CohortOfOtherDelivery | DeliveryUnknown>
  patch(
    club: Club,
    id: RegistrationLinkId,
    patch: typeof RegistrationLinkPatch.Type
  ): Effect.Effect<RegistrationLink, MaxUsesBelowUses | NotFound>
  /** A sign-up with its code that is not confirmed yet has no code any more. */
  remove(club: Club, id: RegistrationLinkId): Effect.Effect<void, NotFound>
}>()("turma/membership/registration/RegistrationLinks") {
  static readonly layer = Layer.effect(
    RegistrationLinks,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const addresses = yield* Links
      const columns = sql`id, code, delivery_id, cohort_id, max_uses, uses, expires_at, created_at`

      const isUsable = (club_id: ClubId, code: string, now: Date) =>
        sql`
          club_id = ${club_id} and code = ${code}
            and (max_uses is null or uses < max_uses) and (expires_at is null or expires_at > ${now})
        `

      const usable = Effect.fn("RegistrationLinks.usable")(function*(club_id: ClubId, code: string) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        return (yield* sql`select id from registration_links where ${isUsable(club_id, code, now)}`).length > 0
      }, Effect.orDie)

      const use = Effect.fn("RegistrationLinks.use")(function*(club_id: ClubId, code: string) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        return yield* sql`
          update registration_links set uses = uses + 1 where
          ${isUsable(club_id, code, now)} returning delivery_id, cohort_id
        `.pipe(decodeGrant)
      })

      const withUrl = ({ organization_id }: Club) => (link: typeof StoredLink.Type): RegistrationLink => ({
        ...link,
        url: addresses.signUp(organization_id, link.code)
      })

      const list = Effect.fn("RegistrationLinks.list")(function*(club: Club, { cursor, limit }: PageRequest) {
        const after = yield* afterCursor(cursor)
        const links = yield* sql`
          select ${columns} from registration_links where club_id = ${club.id}
            and ${Option.match(after, { onNone: () => sql`true`, onSome: (id) => sql`id > ${id}` })}
          order by id limit ${limit + 1}`.pipe(decodeLinks)
        return pageOf(links.map(withUrl(club)), limit)
      })

      const get = Effect.fn("RegistrationLinks.get")(function*(club: Club, id: RegistrationLinkId) {
        const link = yield* sql`
          select ${columns} from registration_links where club_id = ${club.id} and id = ${id}`.pipe(decodeLink)
        return withUrl(club)(link)
      })

      // The delivery is locked, so a violated constraint can only be that of the cohort.
      const create = Effect.fn("RegistrationLinks.create")(function*(
        club: Club,
        asked: typeof CreateRegistrationLink.Type
      ) {
        const { cohort_id = null, delivery_id = null, expires_at = null, max_uses = null } = asked
        const id = yield* Effect.orDie(random.uuidV7())
        yield* creates(id)
        const code = Base64Url.encode(yield* Effect.orDie(random.randomBytes(codeBytes)))
        const source = delivery_id === null ? sql`(select) as no_delivery` : sql`
            deliveries where club_id = ${club.id} and id = ${delivery_id} and archived_at is null for key share`
        const at = instant(yield* DateTime.now)
        const link = yield* audited((audit) =>
          sql`
              ${audit.with}
              insert into registration_links (club_id, id, code, delivery_id, cohort_id, max_uses, expires_at, created_at)
              select ${club.id}::uuid, ${id}::uuid, ${code}, ${delivery_id}::uuid, ${cohort_id}::uuid, ${max_uses}::int,
                ${instant(expires_at)}::timestamptz, ${at}::timestamptz
              from ${source}
              returning ${columns}
          `
        ).pipe(
          Effect.catchReason("SqlError", "ConstraintError", () => Effect.fail(new CohortOfOtherDelivery())),
          decodeCreated
        )
        return withUrl(club)(link)
      })

      const patch = Effect.fn("RegistrationLinks.patch")(function*(
        club: Club,
        id: RegistrationLinkId,
        { expires_at, max_uses }: typeof RegistrationLinkPatch.Type
      ) {
        const link = yield* audited((audit) =>
          sql`
              ${audit.with}
              update registration_links set
                max_uses = case when ${max_uses !== undefined} then ${max_uses ?? null}::int else max_uses end,
                expires_at = case when ${expires_at !== undefined}
                  then ${instant(expires_at)}::timestamptz else expires_at end
              where club_id = ${club.id} and id = ${id}
              returning ${columns}
          `
        ).pipe(
          Effect.catchReason("SqlError", "ConstraintError", () => Effect.fail(new MaxUsesBelowUses())),
          decodeLink
        )
        return withUrl(club)(link)
      })

      const remove = Effect.fn("RegistrationLinks.remove")(function*({ id: club_id }: Club, id: RegistrationLinkId) {
        const deleted = yield* audited((audit) =>
          sql`${audit.with} delete from registration_links where club_id = ${club_id} and id = ${id} returning 1`
        )
        if (deleted.length === 0) return yield* new NotFound()
      }, faultsDie)

      return RegistrationLinks.of({ usable, use, list, get, create, patch, remove })
    })
  ).pipe(Layer.provide([NodeCrypto.layerSecureRandom, Links.layer]))
}
