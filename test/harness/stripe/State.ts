/** A form as Stripe's clients send it: `metadata[entry_id]=…` is `form["metadata[entry_id]"]`. */
export type Form = Readonly<Record<string, string>>

export interface Asked {
  readonly method: string
  readonly path: string
  readonly form: Form
}

export interface Reply {
  readonly status: number
  readonly body: unknown
}

export const formOf = (text: string): Form => Object.fromEntries(new URLSearchParams(text))

export interface ItemState {
  readonly id: string
  readonly price: string
  readonly metadata: Readonly<Record<string, string>>
}

export interface SubscriptionState {
  readonly id: string
  readonly customer: string
  readonly metadata: Readonly<Record<string, string>>
  readonly anchor: number
  status: string
  ended_at: number | null
  /** The start of its current period, in epoch seconds. `end` is the end. */
  start: number
  end: number
  items: Array<ItemState>
}

export interface LineState {
  readonly id: string
  readonly amount: number
  readonly description: string
  readonly start: number
  readonly end: number
  readonly price: string | null
  readonly item: string | null
  readonly invoice_item: string | null
  readonly metadata: Readonly<Record<string, string>>
  /** Exclusive tax; `discount` is the discount. */
  readonly tax?: number
  readonly discount?: number
}

export interface InvoiceState {
  readonly id: string
  readonly subscription: string
  readonly created: number
  readonly starting_balance: number
  readonly ending_balance: number
  readonly lines: ReadonlyArray<LineState>
  status: string
}

export interface InvoiceItemState {
  readonly id: string
  readonly customer: string
  readonly subscription: string
  readonly amount: number
  readonly description: string
  readonly start: number
  readonly end: number
  readonly date: number
  readonly metadata: Readonly<Record<string, string>>
  invoice: string | null
}

export interface EventState {
  readonly id: string
  readonly type: string
  readonly created: number
  readonly object: string
}

/** Seconds of a month: all months have 30 days here. */
const month = 30 * 86_400

export const totalOf = ({ lines }: Pick<InvoiceState, "lines">) =>
  lines.reduce((sum, { amount, discount = 0, tax = 0 }) => sum + amount + tax - discount, 0)

/** The data of a Stripe account. The test sets its clock: `now`, in seconds. */
export class StripeState {
  now = 0
  /** True if invoices are paid at once. */
  pays = true
  readonly prices: Record<string, number> = {}
  readonly said = new Map<string, { readonly words: string; readonly reply: Reply }>()
  /** Idempotency keys of calls that are under way. */
  readonly busy = new Set<string>()
  readonly subscriptions = new Map<string, SubscriptionState>()
  readonly invoices = new Map<string, InvoiceState>()
  invoiceItems: Array<InvoiceItemState> = []
  readonly sessions = new Map<string, { readonly subscription: string; readonly client_reference_id: string | null }>()
  /** Open checkouts without a payment, by their address. */
  readonly checkouts = new Map<
    string,
    { readonly price: string; readonly metadata: Record<string, string>; readonly back: string }
  >()
  readonly events: Array<EventState> = []
  readonly balances = new Map<string, number>()

  id(kind: string): string {
    return `${kind}_${crypto.randomUUID().replaceAll("-", "")}`
  }

  happens(type: string, object: string): EventState {
    const event = { id: this.id("evt"), type, created: this.now, object }
    this.events.push(event)
    return event
  }

  /** Starts a subscription now; its first invoice is paid. */
  subscribe(
    prices: ReadonlyArray<string>,
    metadata: Record<string, string> = {},
    customer = this.id("cus")
  ): SubscriptionState {
    const subscription: SubscriptionState = {
      id: this.id("sub"),
      customer,
      metadata,
      anchor: this.now,
      status: "active",
      ended_at: null,
      start: this.now,
      end: this.now + month,
      items: prices.map((price) => ({ id: this.id("si"), price, metadata: {} }))
    }
    this.subscriptions.set(subscription.id, subscription)
    this.happens("customer.subscription.created", subscription.id)
    this.invoice(subscription, this.renewalOf(subscription))
    return subscription
  }

  /** A customer pays at a checkout's address. `prices` replaces the price of the plan, for more than that. */
  buy(url: string, prices?: ReadonlyArray<string>, customer?: string): SubscriptionState {
    const checkout = this.checkouts.get(url)
    if (checkout === undefined) throw new Error(`there is no checkout at ${url}`)
    return this.subscribe(prices ?? [checkout.price], checkout.metadata, customer)
  }

  checkout(subscription: SubscriptionState, client_reference_id: string | null): EventState {
    const id = this.id("cs")
    this.sessions.set(id, { subscription: subscription.id, client_reference_id })
    return this.happens("checkout.session.completed", id)
  }

  lineOf(item: ItemState, amount: number, start: number, end: number): LineState {
    const line = { id: this.id("il"), amount, description: item.price, start, end, price: item.price, item: item.id }
    return { ...line, invoice_item: null, metadata: {} }
  }

  renewalOf({ end, items, start }: SubscriptionState): ReadonlyArray<LineState> {
    return items.map((item) => this.lineOf(item, this.prices[item.price] ?? 0, start, end))
  }

  /** Lines that wait for the subscription's next invoice. No other invoice takes them, even if this one has ended. */
  waiting({ id }: SubscriptionState): ReadonlyArray<LineState> {
    return this.invoiceItems.filter((item) => item.subscription === id && item.invoice === null).map((item) => ({
      id: this.id("il"),
      amount: item.amount,
      description: item.description,
      start: item.start,
      end: item.end,
      price: null,
      item: null,
      invoice_item: item.id,
      metadata: item.metadata
    }))
  }

  draft(subscription: SubscriptionState, charges: ReadonlyArray<LineState>): InvoiceState {
    const lines = [...charges, ...this.waiting(subscription)]
    const starting_balance = this.balances.get(subscription.customer) ?? 0
    const ending_balance = Math.min(0, starting_balance + totalOf({ lines }))
    const id = this.id("in")
    return {
      id,
      subscription: subscription.id,
      created: this.now,
      starting_balance,
      ending_balance,
      lines,
      status: "open"
    }
  }

  invoice(subscription: SubscriptionState, charges: ReadonlyArray<LineState>): InvoiceState {
    const invoice = this.draft(subscription, charges)
    for (const item of this.invoiceItems) {
      if (item.subscription === subscription.id) item.invoice ??= invoice.id
    }
    this.balances.set(subscription.customer, invoice.ending_balance)
    this.invoices.set(invoice.id, invoice)
    this.happens("invoice.finalized", invoice.id)
    if (this.pays) this.pay(invoice)
    return invoice
  }

  /** Voids an invoice: the customer need not pay. Its lines stay, and the customer's balance goes back. */
  void(invoice: InvoiceState): void {
    const { customer } = this.subscriptions.get(invoice.subscription) ?? { customer: "" }
    const balance = this.balances.get(customer) ?? 0
    this.balances.set(customer, balance + invoice.starting_balance - invoice.ending_balance)
    invoice.status = "void"
    this.happens("invoice.voided", invoice.id)
  }

  pay(invoice: InvoiceState): void {
    invoice.status = "paid"
    this.happens("invoice.paid", invoice.id)
  }

  /** Begins the next period, at its time. */
  renew(subscription: SubscriptionState): InvoiceState {
    this.now = Math.max(this.now, subscription.end)
    subscription.start = subscription.end
    subscription.end += month
    this.happens("customer.subscription.updated", subscription.id)
    return this.invoice(subscription, this.renewalOf(subscription))
  }

  end(subscription: SubscriptionState, status = "canceled"): void {
    subscription.status = status
    subscription.ended_at = this.now
    this.happens("customer.subscription.deleted", subscription.id)
  }
}
