import { Array, Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { type InvalidCursor, keysetOf, type PageAnswer, type PageRequest } from "../../../platform/http/Page.ts"
import { uuids } from "../../../platform/sql/Arrays.ts"
import { rows } from "../../../platform/sql/Rows.ts"
import { ContractedAddonId, EntryId } from "../account/Account.ts"
import type { Period } from "../account/Period.ts"
import { inOrder, Invoice, InvoiceId, InvoiceLine } from "./Invoice.ts"
import type { NewEntry } from "./NewEntry.ts"

/** A new line of the ledger: on an invoice, or open if the invoice is null. */
export interface LedgerEntry extends NewEntry {
  readonly id: EntryId
  readonly currency: string
  readonly invoice_id: InvoiceId | null
}

/** An invoice about to be issued. Its number is the club's next. */
export interface NewInvoice {
  readonly id: InvoiceId
  readonly status: Invoice["status"]
  readonly currency: string
  readonly period: Period
  /** Integer cents, not below zero. */
  readonly total_cents: number
  readonly issued_at: DateTime.Utc
}

/** Which charges: those for the plan, or those for one contracted add-on. */
export type ChargesOf = { readonly plan: true } | { readonly addon_id: ContractedAddonId }

const Entry = Schema.Struct({ id: EntryId, ...InvoiceLine.fields })
/** An entry that is on no invoice yet. */
export type OpenEntry = typeof Entry.Type

const { kind: _, ...charged } = Entry.fields
const InvoicedCharge = Schema.Struct({
  ...charged,
  addon_id: Schema.NullOr(ContractedAddonId),
  currency: Schema.String
})
/** A charge on one of our invoices, with its subject. */
export type InvoicedCharge = typeof InvoicedCharge.Type

const { lines: __, ...head } = Invoice.fields
const Head = Schema.Struct(head)
const Line = Schema.Struct({ invoice_id: InvoiceId, ...InvoiceLine.fields })

const decodeEntries = rows(Entry)
const decodeCharges = rows(InvoicedCharge)
const decodeHeads = rows(Head)
const decodeLines = rows(Line)

const cursors =
  keysetOf(Schema.Struct({ number: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2_147_483_647 })) }))

const date = DateTime.toDateUtc

/** `billing_entries` and `billing_invoices`. Every writer has locked the account (`AccountsRepo.lock`). */
export class LedgerRepo extends Context.Service<LedgerRepo, {
  /** Open credit in this currency, oldest first. Omits credit that goes to a payment provider. */
  open(club_id: ClubId, currency: string): Effect.Effect<ReadonlyArray<OpenEntry>>
  /**
   * Charges on our own invoices that are not void, for a time that ends after this moment, and not yet credited. Omits
   * charges that a payment provider invoiced: the provider credits those itself.
   */
  charges(club_id: ClubId, of: ChargesOf, at: DateTime.Utc): Effect.Effect<ReadonlyArray<InvoicedCharge>>
  add(club_id: ClubId, entries: ReadonlyArray<LedgerEntry>, created_at: DateTime.Utc): Effect.Effect<void>
  issue(club_id: ClubId, invoice: NewInvoice): Effect.Effect<void>
  /** Puts open entries on an invoice. */
  put(club_id: ClubId, entries: ReadonlyArray<EntryId>, invoice_id: InvoiceId): Effect.Effect<void>
  /** Newest first. */
  invoices(club_id: ClubId, page: PageRequest): Effect.Effect<PageAnswer<Invoice>, InvalidCursor>
}>()("turma/commerce/billing/ledger/LedgerRepo") {
  static readonly layer = Layer.effect(
    LedgerRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const line = sql`kind, key, name, amount_cents::float8 as amount_cents, starts_at, ends_at`

      const open = Effect.fn("LedgerRepo.open")(function*(club_id: ClubId, currency: string) {
        return yield* sql`
          select id, ${line} from billing_entries e
          where club_id = ${club_id} and invoice_id is null and currency = ${currency}
            and (
              select true from billing_changes c where c.club_id = e.club_id and c.entry_id = e.id limit 1
            ) is null
          order by id`.pipe(decodeEntries)
      })

      const charges = Effect.fn("LedgerRepo.charges")(function*(club_id: ClubId, of: ChargesOf, at: DateTime.Utc) {
        const which = "plan" in of ? sql`e.kind = 'plan'` : sql`e.addon_id = ${of.addon_id} and e.kind = 'addon'`
        return yield* sql`
          select e.id, e.key, e.name, e.amount_cents::float8 as amount_cents, e.starts_at, e.ends_at, e.addon_id,
            e.currency
          from billing_entries e
          where e.club_id = ${club_id} and ${which} and e.ends_at > ${date(at)} and e.external_id is null
            and (
              select i.status <> 'void' from billing_invoices i
              where i.club_id = e.club_id and i.id = e.invoice_id
            ) is true
            and (
              select true from billing_entries c where c.club_id = e.club_id and c.credited_id = e.id limit 1
            ) is null
          order by e.starts_at, e.id`.pipe(decodeCharges)
      })

      const add = Effect.fn("LedgerRepo.add")(
        function*(club_id: ClubId, entries: ReadonlyArray<LedgerEntry>, created_at: DateTime.Utc) {
          if (!Array.isReadonlyArrayNonEmpty(entries)) return
          const rows = Array.map(entries, (entry) => ({
            club_id,
            id: entry.id,
            kind: entry.kind,
            key: entry.key,
            name: entry.name,
            amount_cents: entry.amount_cents,
            currency: entry.currency,
            starts_at: date(entry.starts_at),
            ends_at: date(entry.ends_at),
            addon_id: entry.addon_id,
            credited_id: entry.credited_id,
            invoice_id: entry.invoice_id,
            created_at: date(created_at)
          }))
          yield* sql`insert into billing_entries ${sql.insert(rows)}`
        },
        Effect.orDie
      )

      const issue = Effect.fn("LedgerRepo.issue")(function*(club_id: ClubId, invoice: NewInvoice) {
        const { currency, id, issued_at, period, status, total_cents } = invoice
        yield* sql`
          insert into billing_invoices (
            club_id, id, number, status, currency, period_start, period_end, total_cents, issued_at
          )
          select ${club_id}::uuid, ${id}::uuid,
            1 + coalesce((select max(number) from billing_invoices where club_id = ${club_id}), 0),
            ${status}, ${currency}, ${date(period.start)}::timestamptz, ${date(period.end)}::timestamptz,
            ${total_cents}::bigint, ${date(issued_at)}::timestamptz`
      }, Effect.orDie)

      const put = Effect.fn("LedgerRepo.put")(
        function*(club_id: ClubId, entries: ReadonlyArray<EntryId>, invoice_id: InvoiceId) {
          if (entries.length === 0) return
          yield* sql`
            update billing_entries set invoice_id = ${invoice_id}
            where club_id = ${club_id} and id = any(${uuids(entries)}) and invoice_id is null`
        },
        Effect.orDie
      )

      const linesOf = Effect.fnUntraced(function*(club_id: ClubId, invoices: ReadonlyArray<InvoiceId>) {
        if (invoices.length === 0) return new Map<InvoiceId, ReadonlyArray<InvoiceLine>>()
        const rows = yield* sql`
          select invoice_id, ${line} from billing_entries
          where club_id = ${club_id} and invoice_id = any(${uuids(invoices)}) order by id`.pipe(decodeLines)
        return Map.groupBy(rows, ({ invoice_id }) => invoice_id)
      })

      const invoices = Effect.fn("LedgerRepo.invoices")(function*(club_id: ClubId, { cursor, limit }: PageRequest) {
        const before = Option.getOrNull(yield* cursors.read(cursor))?.number ?? null
        const heads = yield* sql`
            select id, number, status, currency, period_start, period_end, total_cents::float8 as total_cents, issued_at
            from billing_invoices
            where club_id = ${club_id} and number < coalesce(${before}::int, 2147483647)
            order by number desc limit ${limit + 1}`.pipe(decodeHeads)
        const { data, next_cursor } = yield* cursors.page(heads, limit, ({ number }) => ({ number }))
        const lines = yield* linesOf(club_id, data.map(({ id }) => id))
        return {
          data: data.map((invoice) => new Invoice({ ...invoice, lines: inOrder(lines.get(invoice.id) ?? []) })),
          next_cursor
        }
      })

      return LedgerRepo.of({ open, charges, add, issue, put, invoices })
    })
  )
}
