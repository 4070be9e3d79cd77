import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { Instant, InstantOrNull } from "../../../platform/schema/Instant.ts"
import { first, rows } from "../../../platform/sql/Rows.ts"
import type { Provider } from "./AccountsRepo.ts"
import type { TakenUnits } from "./Metering.ts"

const UsageState = Schema.Struct({
  plan_key: Schema.String,
  anchor: Instant,
  addon_keys: Schema.Array(Schema.String),
  used: Schema.Int,
  /** The last period in which any of it was used. */
  period_start: InstantOrNull
})
/** The numbers that decide if a club can use more units of a resource. */
export type UsageState = typeof UsageState.Type

const Use = Schema.Struct({ resource_key: Schema.String, used: Schema.Int })

const decodeUsageState = first(UsageState)
const decodeUses = rows(Use)
const decodeUsed = first(Schema.Struct({ used: Schema.Int }))

const date = DateTime.toDateUtc

/** `billing_usage`: units of metered resources, by the period that they were used in. */
export class UsageRepo extends Context.Service<UsageRepo, {
  /** Units of each resource used in the period that starts then. Omits unused resources. */
  used(club_id: ClubId, period_start: DateTime.Utc): Effect.Effect<ReadonlyMap<string, number>>
  /** Empty if the club has no plan of this provider. */
  state(
    club_id: ClubId,
    provider: Provider,
    resource: string,
    now: DateTime.Utc
  ): Effect.Effect<Option.Option<UsageState>>
  /**
   * Claims all the units, or nothing if that would exceed the limit; `null`: no limit. Returns the number of used units
   * after it. In the caller's transaction, which has locked the account.
   */
  take(club_id: ClubId, units: TakenUnits, limit: number | null): Effect.Effect<Option.Option<number>>
  giveBack(club_id: ClubId, units: TakenUnits): Effect.Effect<void>
  /** Subtracts units that were billed before their period was over. The account is locked. */
  settle(club_id: ClubId, period_start: DateTime.Utc, billed: ReadonlyMap<string, number>): Effect.Effect<void>
}>()("turma/commerce/billing/account/UsageRepo") {
  static readonly layer = Layer.effect(
    UsageRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const used = Effect.fn("UsageRepo.used")(function*(club_id: ClubId, period_start: DateTime.Utc) {
        const rows = yield* sql`
          select resource_key, used::float8 as used from billing_usage
          where club_id = ${club_id} and period_start = ${date(period_start)}`.pipe(decodeUses)
        return new Map(rows.map(({ resource_key, used }) => [resource_key, used]))
      })

      const state = Effect.fn("UsageRepo.state")(function*(
        club_id: ClubId,
        provider: Provider,
        resource: string,
        now: DateTime.Utc
      ) {
        return yield* sql`
            select a.plan_key, a.anchor, coalesce(u.used, 0)::float8 as used, u.period_start,
              array(
                select x.addon_key from billing_addons x where x.club_id = a.club_id and x.removed_at is null
              ) as addon_keys
            from billing_accounts a
              left join lateral (
                select latest.used, latest.period_start from billing_usage latest
                where latest.club_id = a.club_id and latest.resource_key = ${resource}
                  and latest.period_start <= ${date(now)}
                order by latest.period_start desc limit 1
              ) u on true
            where a.club_id = ${club_id} and a.provider = ${provider} and a.ended_at is null`.pipe(decodeUsageState)
      })

      // The row's newest version decides, so concurrent calls cannot take more than the limit.
      const take = Effect.fn("UsageRepo.take")(function*(
        club_id: ClubId,
        { period_start, resource, units }: TakenUnits,
        limit: number | null
      ) {
        const found = yield* sql`
            insert into billing_usage as u (club_id, resource_key, period_start, used)
            select ${club_id}::uuid, ${resource}, ${date(period_start)}::timestamptz, ${units}::bigint
            where ${units}::bigint <= coalesce(${limit}::bigint, ${units}::bigint)
            on conflict (club_id, resource_key, period_start) do update set used = u.used + excluded.used
            where u.used + excluded.used <= coalesce(${limit}::bigint, u.used + excluded.used)
            returning u.used::float8 as used`.pipe(decodeUsed)
        return Option.map(found, ({ used }) => used)
      })

      const giveBack = Effect.fn("UsageRepo.giveBack")(
        function*(club_id: ClubId, { period_start, resource, units }: TakenUnits) {
          yield* sql`
            update billing_usage set used = used - ${units}::bigint
            where club_id = ${club_id} and resource_key = ${resource} and period_start = ${date(period_start)}
              and used >= ${units}::bigint`
        },
        Effect.orDie
      )

      const settle = Effect.fn("UsageRepo.settle")((
        club_id: ClubId,
        period_start: DateTime.Utc,
        billed: ReadonlyMap<string, number>
      ) =>
        Effect.forEach(
          billed,
          ([resource, units]) => giveBack(club_id, { resource, period_start, units }),
          { discard: true }
        )
      )

      return UsageRepo.of({ used, state, take, giveBack, settle })
    })
  )
}
