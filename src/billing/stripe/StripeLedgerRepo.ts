import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../clubs/Club.ts"
import { texts, uuids } from "../../sql/Arrays.ts"
import { PooledRandomLayer } from "../../sql/PooledRandom.ts"
import { ContractedAddonId, EntryId } from "../Account.ts"
import { InvoiceId, LineKind } from "../Invoice.ts"
import type { NewEntry } from "../Invoicing.ts"
import type { MirroredInvoice, MirroredLine, PaidCharge, ToldEntry } from "./InvoiceLines.ts"

const Instant = Schema.DateTimeUtcFromDate

/** What an invoice of Stripe's is called and when it was issued. */
export interface InvoiceHead {
  readonly external_id: string
  readonly status: "issued" | "paid" | "void"
  readonly currency: string
  readonly issued_at: DateTime.Utc
}

const Told = Schema.Struct({
  id: EntryId,
  kind: LineKind,
  key: Schema.String,
  name: Schema.String,
  external_id: Schema.NullOr(Schema.String),
  amount_cents: Schema.Int,
  starts_at: Instant,
  ends_at: Instant
})
/** What Stripe has been told, or will be, and no invoice has yet. */
export type OpenEntry = typeof Told.Type

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

const Owner = Schema.Struct({ id: ContractedAddonId, external_id: Schema.String })

const isEntry = Schema.is(EntryId)
const decodeTold = Schema.decodeUnknownEffect(Schema.Array(Told))
const decodePaid = Schema.decodeUnknownEffect(Schema.Array(Paid))
const decodeOwners = Schema.decodeUnknownEffect(Schema.Array(Owner))
const decodeInvoices = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ id: InvoiceId })]))
const decodeIds = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: EntryId })))

const date = DateTime.toDateUtc

/** The ledger as Stripe's invoices have it. Whoever writes has locked the account. */
export class StripeLedgerRepo extends Context.Service<StripeLedgerRepo, {
  /** Entries of ours that Stripe is told of: those named, and those that are these invoice items. */
  told(
    club_id: ClubId,
    ids: ReadonlyArray<string>,
    invoice_items: ReadonlyArray<string>
  ): Effect.Effect<ReadonlyArray<ToldEntry>>
  /** The same that no invoice has, oldest first. */
  open(club_id: ClubId): Effect.Effect<ReadonlyArray<OpenEntry>>
  /** Writes an invoice, or what has become of it. One that was paid or is void stays so. */
  mirror(club_id: ClubId, head: InvoiceHead, invoice: MirroredInvoice): Effect.Effect<InvoiceId>
  /** Charges that were paid and not credited, of add-ons that were removed here before their time ended. */
  creditable(
    club_id: ClubId,
    of: { readonly invoice_id: InvoiceId } | { readonly addon_id: ContractedAddonId }
  ): Effect.Effect<ReadonlyArray<PaidCharge>>
  /** None: the charge has been credited. */
  enter(club_id: ClubId, entry: NewEntry, currency: string): Effect.Effect<Option.Option<EntryId>>
  /** Which invoice item of Stripe's an entry is. */
  link(club_id: ClubId, id: EntryId, external_id: string): Effect.Effect<void>
}>()("turma/billing/stripe/StripeLedgerRepo") {
  static readonly layerNoDeps = Layer.effect(
    StripeLedgerRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const columns = sql`
        e.id, e.kind, e.key, e.name, e.external_id, e.amount_cents::float8 as amount_cents, e.starts_at, e.ends_at`
      const isTold = sql`(
        select true from billing_changes c where c.club_id = e.club_id and c.entry_id = e.id limit 1
      ) is true`

      const told = Effect.fn("StripeLedgerRepo.told")(
        function*(club_id: ClubId, ids: ReadonlyArray<string>, invoice_items: ReadonlyArray<string>) {
          const rows = yield* sql`
            select ${columns} from billing_entries e
            where e.club_id = ${club_id}
              and (e.id = any(${uuids(ids.filter(isEntry))}) or e.external_id = any(${texts(invoice_items)}))
              and ${isTold}`
          return yield* decodeTold(rows)
        },
        Effect.orDie
      )

      const open = Effect.fn("StripeLedgerRepo.open")(function*(club_id: ClubId) {
        const rows = yield* sql`
          select ${columns} from billing_entries e
          where e.club_id = ${club_id} and e.invoice_id is null and ${isTold} order by e.id`
        return yield* decodeTold(rows)
      }, Effect.orDie)

      const owners = Effect.fnUntraced(function*(club_id: ClubId, lines: ReadonlyArray<MirroredLine>) {
        const items = [...new Set(lines.flatMap(({ item_id }) => item_id === null ? [] : [item_id]))]
        if (items.length === 0) return new Map<string, ContractedAddonId>()
        const rows = yield* sql`
          select id, external_id from billing_addons where club_id = ${club_id} and external_id = any(${texts(items)})`
        return new Map((yield* decodeOwners(rows)).map(({ external_id, id }) => [external_id, id]))
      })

      const writeHead = Effect.fnUntraced(
        function*(
          club_id: ClubId,
          { currency, external_id, issued_at, status }: InvoiceHead,
          invoice: MirroredInvoice
        ) {
          const rows = yield* sql`
            insert into billing_invoices as i (
              club_id, id, number, status, currency, period_start, period_end, total_cents, issued_at, external_id
            )
            select ${club_id}::uuid, ${yield* random.uuidV7()}::uuid,
              1 + coalesce((select max(number) from billing_invoices where club_id = ${club_id}), 0),
              ${status}, ${currency}, ${date(invoice.period.start)}::timestamptz, ${
            date(invoice.period.end)
          }::timestamptz,
              ${invoice.total_cents}::bigint, ${date(issued_at)}::timestamptz, ${external_id}
            on conflict (external_id) where external_id is not null do update set
              status = case when i.status = 'issued' then excluded.status else i.status end,
              total_cents = excluded.total_cents
            returning i.id`
          return (yield* decodeInvoices(rows))[0].id
        }
      )

      const writeLines = Effect.fnUntraced(
        function*(club_id: ClubId, invoice_id: InvoiceId, currency: string, lines: ReadonlyArray<MirroredLine>) {
          const addons = yield* owners(club_id, lines)
          const created_at = date(yield* DateTime.now)
          for (const { ends_at, entry_id, item_id, starts_at, ...line } of lines) {
            if (entry_id !== null) {
              yield* sql`
                update billing_entries set invoice_id = ${invoice_id}
                where club_id = ${club_id} and id = ${entry_id} and invoice_id is null`
              continue
            }
            const row = {
              ...line,
              club_id,
              id: yield* random.uuidV7(),
              currency,
              starts_at: date(starts_at),
              ends_at: date(ends_at),
              addon_id: line.kind === "addon" && item_id !== null ? addons.get(item_id) ?? null : null,
              invoice_id,
              created_at
            }
            // Which add-on a line is for may be known later than the line.
            yield* sql`
              insert into billing_entries as e ${sql.insert(row)}
              on conflict (club_id, external_id) where external_id is not null do update set
                addon_id = coalesce(e.addon_id, excluded.addon_id), amount_cents = excluded.amount_cents`
          }
        }
      )

      const mirror = Effect.fn("StripeLedgerRepo.mirror")(
        function*(club_id: ClubId, head: InvoiceHead, invoice: MirroredInvoice) {
          const id = yield* writeHead(club_id, head, invoice)
          yield* writeLines(club_id, id, head.currency, invoice.lines)
          return id
        },
        Effect.orDie
      )

      // What was removed at Stripe was settled there.
      const creditable: StripeLedgerRepo["Service"]["creditable"] = Effect.fn("StripeLedgerRepo.creditable")(
        function*(club_id, of) {
          const which = "addon_id" in of ? sql`e.addon_id = ${of.addon_id}` : sql`e.invoice_id = ${of.invoice_id}`
          const rows = yield* sql`
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
            order by e.starts_at, e.id`
          return yield* decodePaid(rows)
        },
        Effect.orDie
      )

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
        const rows = yield* sql`
          insert into billing_entries ${sql.insert(row)}
          on conflict (club_id, credited_id) where credited_id is not null do nothing returning id`
        return Option.map(Option.fromUndefinedOr((yield* decodeIds(rows))[0]), ({ id }) => id)
      }, Effect.orDie)

      const link = Effect.fn("StripeLedgerRepo.link")(function*(club_id: ClubId, id: EntryId, external_id: string) {
        yield* sql`
          update billing_entries set external_id = ${external_id} where club_id = ${club_id} and id = ${id}`
      }, Effect.orDie)

      return StripeLedgerRepo.of({ creditable, enter, link, mirror, open, told })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(PooledRandomLayer))
}
