import { Context, DateTime, type Duration, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../../../identity/ids/ClubId.ts"
import { brandedId } from "../../../../platform/schema/brandedId.ts"
import { Instant } from "../../../../platform/schema/Instant.ts"
import { PooledRandomLayer } from "../../../../platform/sql/PooledRandom.ts"
import { rows } from "../../../../platform/sql/Rows.ts"
import { ContractedAddonId, EntryId } from "../../account/Account.ts"
import { delayAfter, lease } from "./Lease.ts"

/** A change that has to be sent to Stripe. UUIDv7. */
export const ChangeId = brandedId("ChangeId")
export type ChangeId = typeof ChangeId.Type

const fields = {
  club_id: ClubId,
  id: ChangeId,
  /** The number of claims, with this one: identifies the lease. */
  attempts: Schema.Int,
  key_number: Schema.Int,
  customer_id: Schema.NonEmptyString,
  subscription_id: Schema.NonEmptyString
}

const AddonChange = Schema.Struct({
  ...fields,
  kind: Schema.Literals(["contract", "remove"]),
  addon_id: ContractedAddonId,
  addon_key: Schema.String,
  contracted_at: Instant,
  external_id: Schema.NullOr(Schema.String)
})
/** An add-on that is contracted or removed at Stripe too. */
export type AddonChange = typeof AddonChange.Type

const EntryChange = Schema.Struct({
  ...fields,
  kind: Schema.Literals(["credit", "overage"]),
  entry_id: EntryId,
  /** Stripe's customers that it was ever sent for, with the current one. */
  customers: Schema.Array(Schema.String),
  name: Schema.String,
  amount_cents: Schema.Int,
  currency: Schema.String,
  starts_at: Instant,
  ends_at: Instant,
  entered_at: Instant
})
/** An entry that becomes an invoice item at Stripe. */
export type EntryChange = typeof EntryChange.Type

/** A change that this process sends until its lease is over. */
export const ClaimedChange = Schema.Union([AddonChange, EntryChange])
export type ClaimedChange = typeof ClaimedChange.Type

/** The add-on or the entry that a change is about. */
export type ChangeSubject = { readonly addon_id: ContractedAddonId } | { readonly entry_id: EntryId }

const decodeClaimed = rows(ClaimedChange)
const decodeRows = rows(Schema.Struct({
  kind: Schema.Literals(["contract", "remove", "credit", "overage"]),
  status: Schema.Literals(["pending", "done", "refused"])
}))

const date = DateTime.toDateUtc

/**
 * The queue in `billing_changes`: a club's changes one after another. A claim's result counts only while it is the
 * latest claim.
 */
export class ChangesRepo extends Context.Service<ChangesRepo, {
  /** Queues a change, due at once, after the club's other ones; in the transaction that has locked the account. */
  add(club_id: ClubId, kind: ClaimedChange["kind"], about: ChangeSubject): Effect.Effect<ChangeId>
  /** Claims the next change of each club, or of this one. */
  claim(limit: number, club_id?: ClubId): Effect.Effect<ReadonlyArray<ClaimedChange>>
  /** False: another process has claimed it since, or it was refused for good. */
  finish(claimed: ClaimedChange, status: "done" | "refused"): Effect.Effect<boolean>
  /** `newKey`: Stripe has answered the last idempotency key, so the next attempt uses another. */
  postpone(claimed: ClaimedChange, newKey: boolean): Effect.Effect<void>
  /** True if Stripe refused it, or its subscription ended before it was sent. */
  refused(club_id: ClubId, id: ChangeId): Effect.Effect<boolean>
  /** The club's changes that are not sent yet. */
  pending(club_id: ClubId): Effect.Effect<ReadonlyArray<ClaimedChange["kind"]>>
  /**
   * After a subscription has ended: drops its add-on changes, and queues uninvoiced credit and overage again, for the
   * next one.
   */
  moveOn(club_id: ClubId): Effect.Effect<void>
}>()("turma/commerce/billing/stripe/queue/ChangesRepo") {
  static readonly layer = Layer.effect(
    ChangesRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const later = (wait: Duration.Duration) =>
        Effect.map(DateTime.now, (now) => date(DateTime.addDuration(now, wait)))

      const add = Effect.fn("ChangesRepo.add")(
        function*(club_id: ClubId, kind: ClaimedChange["kind"], about: ChangeSubject) {
          const id = ChangeId.make(yield* random.uuidV7())
          const now = date(yield* DateTime.now)
          const change = { club_id, id, kind, ...about, status: "pending", next_attempt_at: now, created_at: now }
          yield* sql`insert into billing_changes ${sql.insert(change)}`
          return id
        },
        Effect.orDie
      )

      // Only the first of a club, so that its changes are sent in order.
      const claim = Effect.fn("ChangesRepo.claim")(function*(limit: number, club_id?: ClubId) {
        const now = date(yield* DateTime.now)
        const whose = club_id === undefined ? sql`true` : sql`c.club_id = ${club_id}`
        return yield* sql`
          with due as materialized (
            select c.club_id, c.id from billing_changes c
            where c.status = 'pending' and c.next_attempt_at <= ${now} and ${whose}
              and (c.leased_until is null or c.leased_until <= ${now})
              and (
                select true from billing_accounts a where a.club_id = c.club_id and a.provider = 'stripe'
              ) is true
              and c.position = (
                select min(first.position) from billing_changes first
                where first.club_id = c.club_id and first.status = 'pending'
              )
            order by c.next_attempt_at limit ${limit}
            for no key update skip locked
          ), claimed as (
            update billing_changes c set attempts = c.attempts + 1, leased_until = ${yield* later(lease)},
              customers = case when a.customer_id = any(c.customers) then c.customers
                else c.customers || a.customer_id end
            from due join billing_accounts a on a.club_id = due.club_id
            where c.club_id = due.club_id and c.id = due.id
            returning c.*
          )
          select c.club_id, c.id, c.kind, c.attempts, c.key_number, a.customer_id, a.subscription_id,
            c.addon_id, x.addon_key, x.contracted_at, coalesce(x.external_id, e.external_id) as external_id,
            c.entry_id, c.customers, e.name, e.amount_cents::float8 as amount_cents, e.currency, e.starts_at, e.ends_at,
            e.created_at as entered_at
          from claimed c
            join billing_accounts a on a.club_id = c.club_id
            left join billing_addons x on x.club_id = c.club_id and x.id = c.addon_id
            left join billing_entries e on e.club_id = c.club_id and e.id = c.entry_id`.pipe(decodeClaimed)
      })

      const isTheirs = ({ attempts, club_id, id }: ClaimedChange) =>
        sql`club_id = ${club_id} and id = ${id} and status = 'pending' and attempts = ${attempts}`

      const finish = Effect.fn("ChangesRepo.finish")(function*(claimed: ClaimedChange, status: "done" | "refused") {
        const rows = yield* sql`
          update billing_changes set status = ${status}, finished_at = ${date(yield* DateTime.now)}, leased_until = null
          where ${isTheirs(claimed)} returning 1`
        return rows.length > 0
      }, Effect.orDie)

      const postpone = Effect.fn("ChangesRepo.postpone")(function*(claimed: ClaimedChange, newKey: boolean) {
        yield* sql`
          update billing_changes set
            next_attempt_at = ${yield* later(delayAfter(claimed.attempts))}, leased_until = null,
            key_number = key_number + ${newKey ? 1 : 0}::int
          where ${isTheirs(claimed)}`
      }, Effect.orDie)

      const refused = Effect.fn("ChangesRepo.refused")(function*(club_id: ClubId, id: ChangeId) {
        const rows = yield* sql`select kind, status from billing_changes where club_id = ${club_id} and id = ${id}`
          .pipe(decodeRows)
        return rows[0]?.status === "refused"
      })

      const pending = Effect.fn("ChangesRepo.pending")(function*(club_id: ClubId) {
        const rows = yield* sql`
          select kind, status from billing_changes where club_id = ${club_id} and status = 'pending' order by position`
          .pipe(decodeRows)
        return rows.map(({ kind }) => kind)
      })

      const moveOn = Effect.fn("ChangesRepo.moveOn")(function*(club_id: ClubId) {
        const now = date(yield* DateTime.now)
        yield* sql`
          update billing_changes set status = 'refused', finished_at = ${now}, leased_until = null
          where club_id = ${club_id} and status = 'pending' and kind in ('contract', 'remove')`
        // The claim of a process that is sending it is void from now on. `leased_until` stays, so nobody claims the
        // change while that process may still send it: it stops after a minute, and the lease lasts two.
        yield* sql`
          update billing_changes c set
            status = 'pending', finished_at = null, next_attempt_at = ${now}, attempts = attempts + 1,
            key_number = key_number + 1
          where club_id = ${club_id} and kind in ('credit', 'overage') and (
            status in ('pending', 'refused') or (
              select e.invoice_id is null from billing_entries e where e.club_id = c.club_id and e.id = c.entry_id
            ) is true
          )`
      }, Effect.orDie)

      return ChangesRepo.of({ add, claim, finish, moveOn, pending, postpone, refused })
    })
  ).pipe(Layer.provide(PooledRandomLayer))
}
