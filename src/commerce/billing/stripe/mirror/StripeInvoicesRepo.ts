import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../../../identity/ids/ClubId.ts"
import { texts } from "../../../../platform/sql/Arrays.ts"
import { PooledRandomLayer } from "../../../../platform/sql/PooledRandom.ts"
import { first, one, rows } from "../../../../platform/sql/Rows.ts"
import { ContractedAddonId } from "../../account/Account.ts"
import { InvoiceId } from "../../ledger/Invoice.ts"
import type { MirroredInvoice, MirroredLine } from "./MirroredInvoice.ts"

/** Id, status, currency and time of Stripe's invoice. */
export interface InvoiceHead {
  readonly external_id: string
  readonly status: "issued" | "paid" | "void"
  readonly currency: string
  readonly issued_at: DateTime.Utc
}

/** A stored invoice, and its status before; `null`: it is new. */
const MirroredId = Schema.Struct({ id: InvoiceId, was: Schema.NullOr(Schema.Literals(["issued", "paid", "void"])) })
type MirroredId = typeof MirroredId.Type

const Owner = Schema.Struct({ id: ContractedAddonId, external_id: Schema.String })

const decodeOwners = rows(Owner)
const decodeInvoice = one(MirroredId)
const decodeClub = first(Schema.Struct({ club_id: ClubId }))

const date = DateTime.toDateUtc

/** Stripe's invoices as they are stored, with their lines. Every writer has locked the account. */
export class StripeInvoicesRepo extends Context.Service<StripeInvoicesRepo, {
  /** Inserts or updates an invoice. A paid or void one keeps its status. */
  mirror(club_id: ClubId, head: InvoiceHead, invoice: MirroredInvoice): Effect.Effect<MirroredId>
  /** The club of Stripe's invoice. */
  clubOf(external_id: string): Effect.Effect<Option.Option<ClubId>>
}>()("turma/commerce/billing/stripe/mirror/StripeInvoicesRepo") {
  static readonly layer = Layer.effect(
    StripeInvoicesRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom

      const owners = Effect.fnUntraced(function*(club_id: ClubId, lines: ReadonlyArray<MirroredLine>) {
        const items = [...new Set(lines.flatMap(({ item_id }) => item_id === null ? [] : [item_id]))]
        if (items.length === 0) return new Map<string, ContractedAddonId>()
        const rows = yield* sql`
          select id, external_id from billing_addons where club_id = ${club_id} and external_id = any(${texts(items)})`
          .pipe(decodeOwners)
        return new Map(rows.map(({ external_id, id }) => [external_id, id]))
      })

      const writeHead = Effect.fnUntraced(function*(
        club_id: ClubId,
        { currency, external_id, issued_at, status }: InvoiceHead,
        invoice: MirroredInvoice
      ) {
        const { end, start } = invoice.period
        return yield* sql`
            with before as (select status from billing_invoices where external_id = ${external_id})
            insert into billing_invoices as i (
              club_id, id, number, status, currency, period_start, period_end, total_cents, issued_at, external_id
            )
            select ${club_id}::uuid, ${yield* random.uuidV7()}::uuid,
              1 + coalesce((select max(number) from billing_invoices where club_id = ${club_id}), 0),
              ${status}, ${currency}, ${date(start)}::timestamptz, ${date(end)}::timestamptz,
              ${invoice.total_cents}::bigint, ${date(issued_at)}::timestamptz, ${external_id}
            on conflict (external_id) where external_id is not null do update set
              status = case when i.status = 'issued' then excluded.status else i.status end,
              total_cents = excluded.total_cents
            returning i.id, (select status from before) as was`.pipe(decodeInvoice)
      })

      const writeLines = Effect.fnUntraced(function*(
        club_id: ClubId,
        invoice_id: InvoiceId,
        currency: string,
        lines: ReadonlyArray<MirroredLine>
      ) {
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
          // The add-on of a line may become known after the line.
          yield* sql`
              insert into billing_entries as e ${sql.insert(row)}
              on conflict (club_id, external_id) where external_id is not null do update set
                addon_id = coalesce(e.addon_id, excluded.addon_id), amount_cents = excluded.amount_cents`
        }
      })

      const mirror = Effect.fn("StripeInvoicesRepo.mirror")(
        function*(club_id: ClubId, head: InvoiceHead, invoice: MirroredInvoice) {
          const written = yield* writeHead(club_id, head, invoice)
          yield* writeLines(club_id, written.id, head.currency, invoice.lines)
          return written
        },
        Effect.orDie
      )

      const clubOf = Effect.fn("StripeInvoicesRepo.clubOf")(function*(external_id: string) {
        const found = yield* sql`select club_id from billing_invoices where external_id = ${external_id}`
          .pipe(decodeClub)
        return Option.map(found, ({ club_id }) => club_id)
      })

      return StripeInvoicesRepo.of({ clubOf, mirror })
    })
  ).pipe(Layer.provide(PooledRandomLayer))
}
