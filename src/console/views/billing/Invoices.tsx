import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { date, money, number } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { useList } from "../../../browser/client/Lists.ts"
import type { Read } from "../../../browser/client/Reads.ts"
import { Badge, type Tone } from "../../../browser/parts/Badge.tsx"
import { Dialog } from "../../../browser/parts/Dialog.tsx"
import { Empty, Failure, Loading } from "../../../browser/parts/States.tsx"
import { type Column, Table } from "../../../browser/parts/Table.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { words } from "./words.ts"

type Invoice = Schemas["Invoice"]
type Upcoming = Schemas["UpcomingInvoice"]

const tones: Readonly<Record<Invoice["status"], Tone>> = { issued: "waiting", paid: "good", void: "quiet" }

const periodOf = ({ period_end, period_start }: Upcoming) => `${date(period_start)} – ${date(period_end)}`

/** Charges, credits and their sum. */
const Lines = ({ currency, label, lines, total_cents }: Pick<Upcoming, "currency" | "lines" | "total_cents"> & {
  readonly label: string
}) => (
  <div class="table">
    <table>
      <caption class="visually-hidden">{label}</caption>
      <thead>
        <tr>
          <th scope="col">{said(words).what}</th>
          <th scope="col" class="minor">{said(words).time}</th>
          <th scope="col" class="number amount">{said(words).amount}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ amount_cents, ends_at, key, kind, name, starts_at }, index) => (
          <tr key={`${key} ${index}`} data-row>
            <td class="whole">
              <span class="soft small">{said(words).lineKinds[kind]}</span> <span dir="auto">{name}</span>
            </td>
            <td class="minor">{`${date(starts_at)} – ${date(ends_at)}`}</td>
            <td class={amount_cents < 0 ? "number given" : "number"}>{money(amount_cents, currency)}</td>
          </tr>
        ))}
        <tr data-row>
          <th scope="row">{said(words).total}</th>
          <td class="minor" />
          <td class="number">
            <strong>{money(total_cents, currency)}</strong>
          </td>
        </tr>
      </tbody>
    </table>
  </div>
)

/** The lines of the next invoice. */
export const UpcomingInvoice = ({ read }: { readonly read: Read<{ readonly data: Upcoming }> }) => {
  const known = read.data?.data
  return (
    <section class="card stack" aria-labelledby="upcoming">
      <h2 id="upcoming">{said(words).upcoming}</h2>
      {known !== undefined && (
        <>
          <p class="soft">{periodOf(known)}. {said(words).upcomingText}</p>
          <Lines label={said(words).upcoming} {...known} />
        </>
      )}
      {known === undefined && read.error?.code === "invoice_upcoming_none" && <p>{said(words).noUpcoming}</p>}
      {known === undefined && read.error !== undefined && read.error.code !== "invoice_upcoming_none" && (
        <Failure error={read.error} again={read.reload} />
      )}
      {known === undefined && read.error === undefined && <Loading />}
    </section>
  )
}

const columns = (show: (invoice: Invoice) => void): ReadonlyArray<Column<Invoice>> => [
  { key: "number", head: said(words).invoices, cell: (one) => said(words).invoice(number(one.number)) },
  { key: "period", head: said(words).period, cell: periodOf, onCard: "detail", width: "30%" },
  {
    key: "status",
    head: said(words).status,
    cell: ({ issued_at, status }) => (
      <>
        <Badge tone={tones[status]}>{said(words).invoiceStatuses[status]}</Badge>{" "}
        <span class="soft small">{date(issued_at)}</span>
      </>
    ),
    onCard: "state",
    width: "26%"
  },
  {
    key: "total",
    head: said(words).total,
    cell: ({ currency, total_cents }) => money(total_cents, currency),
    isNumber: true,
    onCard: "detail",
    width: "7rem"
  },
  {
    key: "lines",
    head: said(words).lines,
    cell: (invoice) => (
      <button
        type="button"
        class="link"
        aria-label={said(words).linesOf(number(invoice.number))}
        onClick={() => show(invoice)}
      >
        {said(words).lines}
      </button>
    ),
    onCard: "action",
    width: "5rem"
  }
]

/** The past invoices of the club. */
export const Invoices = ({ clubId }: { readonly clubId: string }) => {
  const shown = useSignal<Invoice | undefined>(undefined)
  const list = useList(
    `${clubId}/billing/invoices`,
    ({ cursor, limit, signal }) => turma.billing.invoices({ clubId, cursor, limit }, { signal })
  )
  const invoice = shown.value
  return (
    <section class="stack" aria-labelledby="invoices">
      <h2 id="invoices">{said(words).invoices}</h2>
      <Table
        label={said(words).invoices}
        columns={columns((one) => (shown.value = one))}
        list={list}
        keyOf={({ id }) => id}
        empty={<Empty icon="card" title={said(words).invoicesNone}>{said(words).invoicesNoneText}</Empty>}
      />
      {invoice !== undefined && (
        <Dialog
          title={said(words).invoice(number(invoice.number))}
          wide
          onClose={() => (shown.value = undefined)}
        >
          <p class="row">
            <Badge tone={tones[invoice.status]}>{said(words).invoiceStatuses[invoice.status]}</Badge>
            <span class="soft">{periodOf(invoice)}</span>
          </p>
          <Lines label={said(words).linesOf(number(invoice.number))} {...invoice} />
        </Dialog>
      )}
    </section>
  )
}
