import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { audited } from "../../../../identity/audit/AuditFragment.ts"
import { ClubId, OrganizationId } from "../../../../identity/ids/ClubId.ts"
import { Instant } from "../../../../platform/schema/Instant.ts"
import { texts, uuids } from "../../../../platform/sql/Arrays.ts"
import { first, rows } from "../../../../platform/sql/Rows.ts"
import { ContractedAddonId } from "../../account/Account.ts"
import type { ItemChanges, KnownAddon } from "./ItemChanges.ts"

const Known = Schema.Struct({ club_id: ClubId, version: Schema.Int })

/** An account of any provider, ended or not, locked by the caller's transaction. */
export const LockedAccount = Schema.Struct({
  plan_key: Schema.String,
  anchor: Instant,
  invoiced_until: Instant,
  subscription_id: Schema.NullOr(Schema.String),
  version: Schema.Int,
  /** True for a plan from Stripe that has not ended. */
  live: Schema.Boolean
})
export type LockedAccount = typeof LockedAccount.Type

/** A club's account as Stripe's subscription has it. */
export interface MirroredAccount {
  readonly plan_key: string
  readonly anchor: DateTime.Utc
  readonly invoiced_until: DateTime.Utc
  readonly customer_id: string
}

const Addon = Schema.Struct({
  id: ContractedAddonId,
  addon_key: Schema.String,
  external_id: Schema.NullOr(Schema.String),
  removed: Schema.Boolean,
  pending: Schema.Boolean
})

const isOrganization = Schema.is(OrganizationId)
const isAddon = Schema.is(ContractedAddonId)
const decodeKnown = first(Known)
const decodeLocked = first(LockedAccount)
const decodeClub = first(Schema.Struct({ id: ClubId }))
const decodeAddons = rows(Addon)

const date = DateTime.toDateUtc

/** `billing_accounts` and `billing_addons` as Stripe has them. Every change increments the account's `version`. */
export class MirrorRepo extends Context.Service<MirrorRepo, {
  /** The club whose subscription it is, and the version of its account. */
  known(subscription_id: string): Effect.Effect<Option.Option<typeof Known.Type>>
  /** The club of a public id. Anybody may have written it. */
  clubOf(organization_id: string | null | undefined): Effect.Effect<Option.Option<ClubId>>
  /** Locks the account, of any provider, until the caller's transaction ends. */
  lock(club_id: ClubId): Effect.Effect<Option.Option<LockedAccount>>
  /** Replaces an account that has ended or is another provider's. False: the club has a live account of Stripe's. */
  adopt(club_id: ClubId, subscription_id: string, account: MirroredAccount, now: DateTime.Utc): Effect.Effect<boolean>
  /** Stores Stripe's present state of the account. */
  keep(club_id: ClubId, account: MirroredAccount): Effect.Effect<void>
  /** Ends the account, unless it has ended before. */
  end(club_id: ClubId, at: DateTime.Utc): Effect.Effect<void>
  /** Notes that the account's add-ons have changed. */
  changed(club_id: ClubId): Effect.Effect<void>
  /** Stores up to when the account is invoiced. */
  invoicedUntil(club_id: ClubId, until: DateTime.Utc): Effect.Effect<void>
  /** The club's add-ons, and removed ones that belong to these items or are named by items. */
  addons(
    club_id: ClubId,
    item_ids: ReadonlyArray<string>,
    named: ReadonlyArray<string>
  ): Effect.Effect<ReadonlyArray<KnownAddon>>
  /** Removes all add-ons at this moment; one that was contracted later, when it was contracted. */
  closeAll(club_id: ClubId, at: DateTime.Utc): Effect.Effect<void>
  /** The same for these add-ons. */
  close(club_id: ClubId, ids: ReadonlyArray<ContractedAddonId>, at: DateTime.Utc): Effect.Effect<void>
  /** Stores the items of add-ons without an item. */
  link(club_id: ClubId, links: ItemChanges["link"]): Effect.Effect<void>
  /** Inserts an add-on that was added at Stripe. */
  open(
    club_id: ClubId,
    id: ContractedAddonId,
    addon: ItemChanges["open"][number],
    at: DateTime.Utc
  ): Effect.Effect<void>
  /**
   * Locks the account whose period ended longest ago and has not been closed. Skips locked accounts and those in `except`.
   */
  lockDue(now: DateTime.Utc, except: ReadonlyArray<ClubId>): Effect.Effect<Option.Option<ClubId>>
}>()("turma/commerce/billing/stripe/mirror/MirrorRepo") {
  static readonly layer = Layer.effect(
    MirrorRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const known = Effect.fn("MirrorRepo.known")(function*(subscription_id: string) {
        return yield* sql`
          select club_id, version from billing_accounts
          where subscription_id = ${subscription_id} and provider = 'stripe'`.pipe(decodeKnown)
      })

      const clubOf = Effect.fn("MirrorRepo.clubOf")(function*(organization_id: string | null | undefined) {
        if (!isOrganization(organization_id)) return Option.none()
        const found = yield* sql`select id from clubs where organization_id = ${organization_id}`.pipe(decodeClub)
        return Option.map(found, ({ id }) => id)
      })

      const lock = Effect.fn("MirrorRepo.lock")(function*(club_id: ClubId) {
        return yield* sql`
          select plan_key, anchor, invoiced_until, subscription_id, version,
            ended_at is null and provider = 'stripe' as live
          from billing_accounts where club_id = ${club_id} for no key update`.pipe(decodeLocked)
      })

      const adopt = Effect.fn("MirrorRepo.adopt")(
        function*(club_id: ClubId, subscription_id: string, account: MirroredAccount, now: DateTime.Utc) {
          const row = {
            club_id,
            provider: "stripe",
            plan_key: account.plan_key,
            anchor: date(account.anchor),
            invoiced_until: date(account.invoiced_until),
            customer_id: account.customer_id,
            subscription_id,
            created_at: date(now)
          }
          const rows = yield* audited((audit) =>
            sql`
              ${audit.with}
              insert into billing_accounts as a ${sql.insert(row)}
              on conflict (club_id) do update set
                provider = excluded.provider, plan_key = excluded.plan_key, anchor = excluded.anchor,
                invoiced_until = excluded.invoiced_until, customer_id = excluded.customer_id,
                subscription_id = excluded.subscription_id, created_at = excluded.created_at, ended_at = null,
                version = a.version + 1
              where a.ended_at is not null or a.provider <> 'stripe'
              returning 1`
          )
          return rows.length > 0
        },
        Effect.orDie
      )

      const keep = Effect.fn("MirrorRepo.keep")(function*(club_id: ClubId, account: MirroredAccount) {
        const { anchor, customer_id, invoiced_until, plan_key } = account
        yield* audited((audit) =>
          sql`
            ${audit.with}
            update billing_accounts set
              plan_key = ${plan_key}, anchor = ${date(anchor)}, invoiced_until = ${date(invoiced_until)},
              customer_id = ${customer_id}, ended_at = null, version = version + 1
            where club_id = ${club_id}`
        )
      }, Effect.orDie)

      const end = Effect.fn("MirrorRepo.end")(function*(club_id: ClubId, at: DateTime.Utc) {
        yield* audited((audit) =>
          sql`
            ${audit.with}
            update billing_accounts set ended_at = coalesce(ended_at, ${date(at)}), version = version + 1
            where club_id = ${club_id}`
        )
      }, Effect.orDie)

      const changed = Effect.fn("MirrorRepo.changed")(function*(club_id: ClubId) {
        yield* sql`update billing_accounts set version = version + 1 where club_id = ${club_id}`
      }, Effect.orDie)

      const invoicedUntil = Effect.fn("MirrorRepo.invoicedUntil")(function*(club_id: ClubId, until: DateTime.Utc) {
        yield* sql`update billing_accounts set invoiced_until = ${date(until)} where club_id = ${club_id}`
      }, Effect.orDie)

      const addons = Effect.fn("MirrorRepo.addons")(function*(
        club_id: ClubId,
        item_ids: ReadonlyArray<string>,
        named: ReadonlyArray<string>
      ) {
        return yield* sql`
            select x.id, x.addon_key, x.external_id, x.removed_at is not null as removed,
              (
                select true from billing_changes c
                where c.club_id = x.club_id and c.addon_id = x.id and c.status = 'pending' and c.kind <> 'credit' limit 1
              ) is true as pending
            from billing_addons x
            where x.club_id = ${club_id} and (
              x.removed_at is null or x.external_id = any(${texts(item_ids)}) or x.id = any(
              ${uuids(named.filter(isAddon))})
            )
            order by x.contracted_at, x.id`.pipe(decodeAddons)
      })

      const closeAll = Effect.fn("MirrorRepo.closeAll")(function*(club_id: ClubId, at: DateTime.Utc) {
        yield* sql`
          update billing_addons set removed_at = greatest(contracted_at, ${date(at)})
          where club_id = ${club_id} and removed_at is null`
      }, Effect.orDie)

      const close = Effect.fn("MirrorRepo.close")(
        function*(club_id: ClubId, ids: ReadonlyArray<ContractedAddonId>, at: DateTime.Utc) {
          if (ids.length === 0) return
          yield* audited((audit) =>
            sql`
              ${audit.with}
              update billing_addons set removed_at = greatest(contracted_at, ${date(at)})
              where club_id = ${club_id} and id = any(${uuids(ids)}) and removed_at is null`
          )
        },
        Effect.orDie
      )

      const link = Effect.fn("MirrorRepo.link")(function*(club_id: ClubId, links: ItemChanges["link"]) {
        yield* Effect.forEach(links, ({ external_id, id }) =>
          sql`
            update billing_addons set external_id = ${external_id}
            where club_id = ${club_id} and id = ${id} and external_id is null`)
      }, Effect.orDie)

      const open = Effect.fn("MirrorRepo.open")(
        function*(club_id: ClubId, id: ContractedAddonId, addon: ItemChanges["open"][number], at: DateTime.Utc) {
          yield* sql`insert into billing_addons ${sql.insert({ ...addon, club_id, id, contracted_at: date(at) })}`
        },
        Effect.orDie
      )

      const lockDue = Effect.fn("MirrorRepo.lockDue")(function*(
        now: DateTime.Utc,
        except: ReadonlyArray<ClubId>
      ) {
        const found = yield* sql`
          select club_id as id from billing_accounts
          where ended_at is null and provider = 'stripe' and invoiced_until <= ${date(now)}
            and club_id <> all(${uuids(except)})
          order by invoiced_until limit 1 for no key update skip locked`.pipe(decodeClub)
        return Option.map(found, ({ id }) => id)
      })

      return MirrorRepo.of({
        addons,
        adopt,
        changed,
        close,
        closeAll,
        clubOf,
        end,
        lock,
        invoicedUntil,
        keep,
        known,
        link,
        lockDue,
        open
      })
    })
  )
}
