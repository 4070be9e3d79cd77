import { DateTime, Schema } from "effect"
import { Count } from "../../../platform/http/Count.ts"
import { field } from "../../../platform/http/Field.ts"
import { brandedId } from "../../../platform/schema/brandedId.ts"
import { Instant } from "../../../platform/schema/Instant.ts"

/** UUIDv7. */
export const InvoiceId = brandedId("InvoiceId")
export type InvoiceId = typeof InvoiceId.Type

/** The subject of a line. `credit` is below zero; `carried` is credit for the next invoice. */
export const LineKind = Schema.Literals(["plan", "addon", "overage", "credit", "carried"])
export type LineKind = typeof LineKind.Type

export const InvoiceLine = Schema.Struct({
  kind: LineKind.pipe(field("The kind of line: `credit` is refunded money, `carried` is credit for the next invoice")),
  key: Schema.String.pipe(field("The key of the plan, add-on or resource", "growth")),
  name: Schema.String.pipe(field("The line's name on the invoice", "Growth")),
  amount_cents: Schema.Int
    .pipe(field(
      "The amount in cents of the invoice's currency. Credit is zero or below, everything else zero or above",
      9900
    )),
  starts_at: Instant.pipe(field("The beginning of the time that the line is for")),
  ends_at: Instant.pipe(field("The end of that time"))
}).annotate({ identifier: "InvoiceLine", description: "One line of an invoice" })
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
  currency: Schema.String.pipe(field("The ISO 4217 code of the currency of all amounts", "USD")),
  period_start: Instant.pipe(field("The beginning of the period that is invoiced")),
  period_end: Instant.pipe(field("When that period is over")),
  lines: Schema.Array(InvoiceLine).pipe(field("Charges first, then credit")),
  total_cents: Count.pipe(field("The sum of the lines in cents, never below zero", 9900))
}

export class Invoice extends Schema.Class<Invoice>("Invoice")(Schema.Struct({
  id: InvoiceId.pipe(field("Names the invoice. Later ones have greater ids")),
  number: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))
    .pipe(field("The invoice's number among the club's, the first being 1", 3)),
  status: Schema.Literals(["issued", "paid", "void"])
    .pipe(field("issued must be paid, paid is paid, void is withdrawn and need not be paid")),
  ...amounts,
  issued_at: Instant.pipe(field("When it was issued"))
}).annotate({ identifier: "Invoice", description: "A club's charges for a period" })) {}

export class UpcomingInvoice extends Schema.Class<UpcomingInvoice>("UpcomingInvoice")(Schema.Struct(amounts).annotate({
  identifier: "UpcomingInvoice",
  description: "The next invoice, if nothing changes until its period begins"
})) {}
