import { DateTime, Schema } from "effect"

const Instant = Schema.DateTimeUtcFromDate

/** UUIDv7. */
export const InvoiceId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("InvoiceId"))
export type InvoiceId = typeof InvoiceId.Type

/** What a line is for. `credit` is below zero; `carried` is credit that the next invoice goes on with. */
export const LineKind = Schema.Literals(["plan", "addon", "overage", "credit", "carried"])
export type LineKind = typeof LineKind.Type

/** One line: `key` names the plan, add-on or resource, the two timestamps what time it is for. */
export const InvoiceLine = Schema.Struct({
  kind: LineKind,
  key: Schema.String,
  name: Schema.String,
  amount_cents: Schema.Int,
  starts_at: Instant,
  ends_at: Instant
}).annotate({ identifier: "InvoiceLine" })
export type InvoiceLine = typeof InvoiceLine.Type

const kinds = LineKind.literals

/** The lines in the order of an invoice: charges, then credit; of each kind the earliest time first. */
export const inOrder = (lines: ReadonlyArray<InvoiceLine>): ReadonlyArray<InvoiceLine> =>
  lines
    .map(({ amount_cents, ends_at, key, kind, name, starts_at }) => ({
      kind,
      key,
      name,
      amount_cents,
      starts_at,
      ends_at
    }))
    .toSorted((one, other) =>
      kinds.indexOf(one.kind) - kinds.indexOf(other.kind) ||
      DateTime.toEpochMillis(one.starts_at) - DateTime.toEpochMillis(other.starts_at)
    )

const amounts = {
  currency: Schema.String,
  period_start: Instant,
  period_end: Instant,
  lines: Schema.Array(InvoiceLine),
  total_cents: Schema.Int
}

/** An invoice. The lines add up to the total, which is never below zero. */
export class Invoice extends Schema.Class<Invoice>("Invoice")({
  id: InvoiceId,
  number: Schema.Int,
  status: Schema.Literals(["issued", "paid", "void"]),
  ...amounts,
  issued_at: Instant
}) {}

/** What the next invoice would say if nothing changed until the period begins. */
export class UpcomingInvoice extends Schema.Class<UpcomingInvoice>("UpcomingInvoice")(amounts) {}
