import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { audited } from "../../../../identity/audit/AuditFragment.ts"
import { ClubId, OrganizationId } from "../../../../identity/ids/ClubId.ts"
import {
  afterCursor,
  type InvalidCursor,
  type PageAnswer,
  pageOf,
  type PageRequest
} from "../../../../platform/http/Page.ts"
import { Instant } from "../../../../platform/schema/Instant.ts"
import { PooledRandomLayer } from "../../../../platform/sql/PooledRandom.ts"
import { first, rows } from "../../../../platform/sql/Rows.ts"
import { CheckoutId, ClaimId } from "../../provider/BillingCheckout.ts"

/** A claim that a subscription is for the club, made by its buyer. */
export const Claim = Schema.Struct({
  id: ClaimId,
  subscription_id: Schema.String,
  plan_key: Schema.String,
  created_at: Instant
})
export type Claim = typeof Claim.Type

const isOrganization = Schema.is(OrganizationId)
const isCheckout = Schema.is(CheckoutId)
const decodeClub = first(Schema.Struct({ id: ClubId }))
const decodeClaims = rows(Claim)
const decodeClaim = first(Claim)

const date = DateTime.toDateUtc

/** Rows in one statement at most. */
const batch = 1000

/**
 * The tables `billing_checkouts` and `billing_claims`: checkouts that clubs began, and claims that subscriptions are
 * for them.
 */
export class CheckoutsRepo extends Context.Service<CheckoutsRepo, {
  /** Notes that the club begins a checkout. */
  begin(club_id: ClubId): Effect.Effect<CheckoutId>
  /** The club, if it began this checkout. */
  clubOf(
    organization_id: string | undefined,
    checkout_id: string | undefined
  ): Effect.Effect<Option.Option<ClubId>>
  /** Stores the claim that a subscription is for the club, once. */
  claim(club_id: ClubId, subscription_id: string, plan_key: string): Effect.Effect<void>
  findClaim(club_id: ClubId, id: ClaimId): Effect.Effect<Option.Option<Claim>>
  /** Newest first. */
  claims(club_id: ClubId, page: PageRequest): Effect.Effect<PageAnswer<Claim>, InvalidCursor>
  /** Deletes all claims of a subscription: it belongs to a club now, or has ended. */
  forget(subscription_id: string): Effect.Effect<void>
  /** Deletes a batch of checkouts begun before then and returns how many. */
  sweep(before: DateTime.Utc): Effect.Effect<number>
}>()("turma/commerce/billing/stripe/mirror/CheckoutsRepo") {
  static readonly layer = Layer.effect(
    CheckoutsRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom

      const begin = Effect.fn("CheckoutsRepo.begin")(function*(club_id: ClubId) {
        const id = CheckoutId.make(yield* random.uuidV7())
        const at = date(yield* DateTime.now)
        yield* audited((audit) =>
          sql`${audit.with} insert into billing_checkouts ${sql.insert({ club_id, id, created_at: at })}`
        )
        return id
      }, Effect.orDie)

      const clubOf = Effect.fn("CheckoutsRepo.clubOf")(function*(
        organization_id: string | undefined,
        checkout_id: string | undefined
      ) {
        if (!isOrganization(organization_id) || !isCheckout(checkout_id)) return Option.none()
        const found = yield* sql`
            select c.id from clubs c join billing_checkouts x on x.club_id = c.id
            where c.organization_id = ${organization_id} and x.id = ${checkout_id}`.pipe(decodeClub)
        return Option.map(found, ({ id }) => id)
      })

      const claim = Effect.fn("CheckoutsRepo.claim")(
        function*(club_id: ClubId, subscription_id: string, plan_key: string) {
          const id = ClaimId.make(yield* random.uuidV7())
          const row = { club_id, id, subscription_id, plan_key, created_at: date(yield* DateTime.now) }
          yield* sql`
            insert into billing_claims ${sql.insert(row)}
            on conflict (subscription_id, club_id) do update set plan_key = excluded.plan_key`
        },
        Effect.orDie
      )

      const findClaim = Effect.fn("CheckoutsRepo.findClaim")(function*(club_id: ClubId, id: ClaimId) {
        return yield* sql`
          select id, subscription_id, plan_key, created_at from billing_claims where club_id = ${club_id} and id = ${id}`
          .pipe(decodeClaim)
      })

      const claims = Effect.fn("CheckoutsRepo.claims")(function*(club_id: ClubId, { cursor, limit }: PageRequest) {
        const after = yield* afterCursor(cursor)
        const rows = yield* sql`
          select id, subscription_id, plan_key, created_at from billing_claims
          where club_id = ${club_id}
            and (${Option.getOrNull(after)}::uuid is null or id < ${Option.getOrNull(after)}::uuid)
          order by id desc limit ${limit + 1}`.pipe(decodeClaims)
        return pageOf(rows, limit)
      })

      const forget = Effect.fn("CheckoutsRepo.forget")(function*(subscription_id: string) {
        yield* audited((audit) =>
          sql`${audit.with} delete from billing_claims where subscription_id = ${subscription_id}`
        )
      }, Effect.orDie)

      const sweep = Effect.fn("CheckoutsRepo.sweep")(function*(before: DateTime.Utc) {
        const rows = yield* sql`
          delete from billing_checkouts where (club_id, id) in (
            select club_id, id from billing_checkouts where created_at <
            ${date(before)} order by created_at limit ${batch}
          ) returning 1`
        return rows.length
      }, Effect.orDie)

      return CheckoutsRepo.of({ begin, claim, claims, clubOf, findClaim, forget, sweep })
    })
  ).pipe(Layer.provide(PooledRandomLayer))
}
