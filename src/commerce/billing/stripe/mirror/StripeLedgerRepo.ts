import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../../identity/ids/ClubId.ts"
import { Instant } from "../../../../platform/schema/Instant.ts"
import { texts, uuids } from "../../../../platform/sql/Arrays.ts"
import { PooledRandomLayer } from "../../../../platform/sql/PooledRandom.ts"
import { first, rows } from "../../../../platform/sql/Rows.ts"
import { ContractedAddonId, EntryId } from "../../account/Account.ts"
import { type InvoiceId, LineKind } from "../../ledger/Invoice.ts"
import type { NewEntry } from "../../ledger/NewEntry.ts"
import type { SentEntry } from "./MirroredInvoice.ts"

const SentEntryRow = Schema.Struct({
  id: EntryId,
  kind: LineKind,
  key: Schema.String,
  name: Schema.String,
  external_id: Schema.NullOr(Schema.String),
  amount_cents: Schema.Int,
  starts_at: Instant,
  ends_at: Instant
})
/** An entry that was sent to Stripe, or is queued for it, and is on no invoice yet. */
export type OpenSentEntry = typeof SentEntryRow.Type

const Paid = Schema.Struct({
  id: EntryId,
  key: Schema.String,
  name: Schema.String,
  amount_cents: Schema.Int,
  starts_at: Instant,
  ends_at: Instant,
  addon_id: ContractedAddonId,
  currency: Schema.String,
  removed_at: Instant
})
/** A charge that was paid, of an add-on that was removed before its time ended. */
export type PaidCharge = typeof Paid.Type

const RepeatedCredit = Schema.Struct({
  kind: Schema.Literal("credit"),
  key: Schema.String,
  name: Schema.String,
  amount_cents: Schema.Int,
  currency: Schema.String,
  starts_at: Instant,
  ends_at: Instant,
  addon_id: Schema.NullOr(ContractedAddonId),
  credited_id: Schema.Null
})
/** Credit that is entered again. It refers to no charge: the charge's own credit is the first one. */
export type RepeatedCredit = typeof RepeatedCredit.Type

const isEntry = Schema.is(EntryId)
const decodeSent = rows(SentEntryRow)
const decodePaid = rows(Paid)
const decodeGiven = rows(RepeatedCredit)
const decodeId = first(Schema.Struct({ id: EntryId }))

const date = DateTime.toDateUtc

/** The entries of `billing_entries` that Stripe invoices. Every writer has locked the account. */
export class StripeLedgerRepo extends Context.Service<StripeLedgerRepo, {
  /** Entries of ours that are sent to Stripe: those with these ids, and those of these invoice items. */
  sentEntries(
    club_id: ClubId,
    ids: ReadonlyArray<string>,
    invoice_items: ReadonlyArray<string>
  ): Effect.Effect<ReadonlyArray<SentEntry>>
  /** Entries sent to Stripe that are on no invoice yet, oldest first. */
  open(club_id: ClubId): Effect.Effect<ReadonlyArray<OpenSentEntry>>
  /** Credit on an invoice at Stripe, to enter again. */
  given(club_id: ClubId, invoice_id: InvoiceId): Effect.Effect<ReadonlyArray<RepeatedCredit>>
  /** Paid charges without credit, of add-ons that were removed here before the charged time ended. */
  creditable(
    club_id: ClubId,
    of: { readonly invoice_id: InvoiceId } | { readonly addon_id: ContractedAddonId }
  ): Effect.Effect<ReadonlyArray<PaidCharge>>
  /** Empty: the charge has been credited already. */
  enter(club_id: ClubId, entry: NewEntry, currency: string): Effect.Effect<Option.Option<EntryId>>
  /** Stores the id of an entry's invoice item at Stripe. */
  link(club_id: ClubId, id: EntryId, external_id: string): Effect.Effect<void>
}>()("turma/commerce/billing/stripe/mirror/StripeLedgerRepo") {
  static readonly layer = Layer.effect(
    StripeLedgerRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const columns = sql`
        e.id, e.kind, e.key, e.name, e.external_id, e.amount_cents::float8 as amount_cents, e.starts_at, e.ends_at`
      const isSent = sql`(
        select true from billing_changes c where c.club_id = e.club_id and c.entry_id = e.id limit 1
      ) is true`

      const sentEntries = Effect.fn("StripeLedgerRepo.sentEntries")(function*(
        club_id: ClubId,
        ids: ReadonlyArray<string>,
        invoice_items: ReadonlyArray<string>
      ) {
        return yield* sql`
            select ${columns} from billing_entries e
            where e.club_id = ${club_id}
              and (e.id = any(${uuids(ids.filter(isEntry))}) or e.external_id = any(${texts(invoice_items)}))
              and ${isSent}`.pipe(decodeSent)
      })

      const open = Effect.fn("StripeLedgerRepo.open")(function*(club_id: ClubId) {
        return yield* sql`
          select ${columns} from billing_entries e
          where e.club_id = ${club_id} and e.invoice_id is null and ${isSent} order by e.id`.pipe(decodeSent)
      })

      const given = Effect.fn("StripeLedgerRepo.given")(function*(club_id: ClubId, invoice_id: InvoiceId) {
        return yield* sql`
          select e.kind, e.key, e.name, e.amount_cents::float8 as amount_cents, e.currency, e.starts_at, e.ends_at,
            e.addon_id, null as credited_id
          from billing_entries e
          where e.club_id = ${club_id} and e.invoice_id = ${invoice_id} and e.kind = 'credit' and ${isSent}
          order by e.id`.pipe(decodeGiven)
      })

      // Add-ons that were removed at Stripe were credited there.
      const creditable: StripeLedgerRepo["Service"]["creditable"] = Effect.fn("StripeLedgerRepo.creditable")(function*(
        club_id,
        of
      ) {
        const which = "addon_id" in of ? sql`e.addon_id = ${of.addon_id}` : sql`e.invoice_id = ${of.invoice_id}`
        return yield* sql`
            select e.id, e.key, e.name, e.amount_cents::float8 as amount_cents, e.starts_at, e.ends_at, e.addon_id,
              e.currency, x.removed_at
            from billing_entries e
              join billing_addons x on x.club_id = e.club_id and x.id = e.addon_id
            where e.club_id = ${club_id} and ${which} and e.kind = 'addon' and e.amount_cents > 0
              and (
                select i.status = 'paid' from billing_invoices i where i.club_id = e.club_id and i.id = e.invoice_id
              ) is true
              and x.removed_at < e.ends_at
              and (
                select true from billing_changes c
                where c.club_id = x.club_id and c.addon_id = x.id and c.kind = 'remove' limit 1
              ) is true
              and (
                select true from billing_entries g where g.club_id = e.club_id and g.credited_id = e.id limit 1
              ) is null
            order by e.starts_at, e.id`.pipe(decodePaid)
      })

      const enter = Effect.fn("StripeLedgerRepo.enter")(function*(club_id: ClubId, entry: NewEntry, currency: string) {
        const { ends_at, starts_at, ...given } = entry
        const row = {
          ...given,
          club_id,
          id: yield* random.uuidV7(),
          currency,
          starts_at: date(starts_at),
          ends_at: date(ends_at),
          created_at: date(yield* DateTime.now)
        }
        const found = yield* sql`
          insert into billing_entries ${sql.insert(row)}
          on conflict (club_id, credited_id) where credited_id is not null do nothing returning id`.pipe(decodeId)
        return Option.map(found, ({ id }) => id)
      }, Effect.orDie)

      const link = Effect.fn("StripeLedgerRepo.link")(function*(club_id: ClubId, id: EntryId, external_id: string) {
        yield* sql`
          update billing_entries set external_id = ${external_id} where club_id = ${club_id} and id = ${id}`
      }, Effect.orDie)

      return StripeLedgerRepo.of({ creditable, enter, given, link, open, sentEntries })
    })
  ).pipe(Layer.provide(PooledRandomLayer))
}
