import {
  type Asked,
  type Form,
  type InvoiceItemState,
  type InvoiceState,
  type ItemState,
  type LineState,
  type Reply,
  type StripeState,
  type SubscriptionState,
  totalOf
} from "./State.ts"

const ok = (body: unknown): Reply => ({ status: 200, body })

const refused = (status: number, code: string): Reply => ({
  status,
  body: { error: { type: "invalid_request_error", code, message: "as the documentation says" } }
})

const missing = refused(404, "resource_missing")

const metadataOf = (form: Form, pattern = /^metadata\[(\w+)\]$/) =>
  Object.fromEntries(Object.entries(form).flatMap(([name, value]) => {
    const key = pattern.exec(name)?.[1]
    return key === undefined ? [] : [[key, value]]
  }))

/** A page of a list, newest first as in Stripe, with `limit` entries. */
const listed = (form: Form, shown: ReadonlyArray<{ readonly id: string }>): Reply => {
  const after = form["starting_after"]
  const from = after === undefined ? 0 : shown.findIndex(({ id }) => id === after) + 1
  if (after !== undefined && from === 0) return refused(400, "resource_missing")
  const limit = Number(form["limit"] ?? 10)
  return ok({ object: "list", data: shown.slice(from, from + limit), has_more: shown.length > from + limit, url: "/" })
}

const shownItem = ({ id, metadata, price }: ItemState, { end, start }: SubscriptionState) => ({
  id,
  object: "subscription_item",
  price: { id: price, object: "price" },
  metadata,
  quantity: 1,
  current_period_start: start,
  current_period_end: end
})

const shownSubscription = (subscription: SubscriptionState) => ({
  id: subscription.id,
  object: "subscription",
  customer: subscription.customer,
  status: subscription.status,
  metadata: subscription.metadata,
  billing_cycle_anchor: subscription.anchor,
  ended_at: subscription.ended_at,
  items: {
    object: "list",
    data: subscription.items.slice(0, 10).map((item) => shownItem(item, subscription)),
    has_more: subscription.items.length > 10
  }
})

const shownLine = (line: LineState) => ({
  id: line.id,
  object: "line_item",
  amount: line.amount,
  description: line.description,
  period: { start: line.start, end: line.end },
  metadata: line.metadata,
  discount_amounts: line.discount === undefined ? [] : [{ amount: line.discount, discount: "di_1" }],
  taxes: line.tax === undefined ? [] : [{ amount: line.tax, tax_behavior: "exclusive" }],
  pricing: line.price === null
    ? null
    : { type: "price_details", price_details: { price: line.price, product: "prod_1" } },
  parent: line.item === null
    ? {
      type: "invoice_item_details",
      invoice_item_details: { invoice_item: line.invoice_item },
      subscription_item_details: null
    }
    : {
      type: "subscription_item_details",
      invoice_item_details: null,
      subscription_item_details: { subscription_item: line.item }
    }
})

/** Number of lines that come with an invoice: few, so the client must ask for the others. */
const firstLines = 2

const shownInvoice = (invoice: InvoiceState, preview = false) => ({
  id: invoice.id,
  object: "invoice",
  status: preview ? "draft" : invoice.status,
  currency: "usd",
  created: invoice.created,
  period_start: invoice.created,
  period_end: invoice.created,
  total: totalOf(invoice),
  starting_balance: invoice.starting_balance,
  ending_balance: preview ? null : invoice.ending_balance,
  status_transitions: { finalized_at: preview ? null : invoice.created },
  parent: { type: "subscription_details", subscription_details: { subscription: invoice.subscription } },
  lines: {
    object: "list",
    data: invoice.lines.slice(0, preview ? undefined : firstLines).map(shownLine),
    has_more: !preview && invoice.lines.length > firstLines
  }
})

const shownInvoiceItem = (
  { amount, customer, date, description, id, invoice, metadata, subscription }: InvoiceItemState
) => ({
  id,
  object: "invoiceitem",
  amount,
  customer,
  date,
  description,
  invoice,
  metadata,
  parent: { type: "subscription_details", subscription_details: { subscription } }
})

const addItem = (state: StripeState, form: Form): Reply => {
  const subscription = state.subscriptions.get(form["subscription"] ?? "")
  if (subscription === undefined || subscription.status === "canceled") return missing
  const price = form["price"] ?? ""
  const from = Number(form["proration_date"])
  if (state.prices[price] === undefined) return missing
  if (subscription.items.some((item) => item.price === price)) return refused(400, "duplicate_price")
  if (from < subscription.start || from > subscription.end) return refused(400, "invalid_timestamp")
  const item = { id: state.id("si"), price, metadata: metadataOf(form) }
  subscription.items.push(item)
  const rest = (subscription.end - from) / (subscription.end - subscription.start)
  const line = state.lineOf(item, Math.round(state.prices[price] * rest), from, subscription.end)
  state.happens("customer.subscription.updated", subscription.id)
  state.invoice(subscription, [line])
  return ok(shownItem(item, subscription))
}

const removeItem = (state: StripeState, id: string): Reply => {
  const subscription = [...state.subscriptions.values()].find(({ items }) => items.some((item) => item.id === id))
  if (subscription === undefined) return missing
  subscription.items = subscription.items.filter((item) => item.id !== id)
  state.happens("customer.subscription.updated", subscription.id)
  return ok({ id, object: "subscription_item", deleted: true })
}

const addInvoiceItem = (state: StripeState, form: Form): Reply => {
  const subscription = state.subscriptions.get(form["subscription"] ?? "")
  if (subscription === undefined || subscription.customer !== form["customer"]) return missing
  if (subscription.status === "canceled") return refused(400, "subscription_canceled")
  const item = {
    id: state.id("ii"),
    customer: subscription.customer,
    subscription: subscription.id,
    amount: Number(form["amount"]),
    description: form["description"] ?? "",
    start: Number(form["period[start]"]),
    end: Number(form["period[end]"]),
    date: state.now,
    metadata: metadataOf(form),
    invoice: null
  }
  state.invoiceItems.push(item)
  return ok(shownInvoiceItem(item))
}

const removeInvoiceItem = (state: StripeState, id: string): Reply => {
  const item = state.invoiceItems.find((one) => one.id === id)
  if (item === undefined) return missing
  if (item.invoice !== null) return refused(400, "invoice_not_editable")
  state.invoiceItems = state.invoiceItems.filter((one) => one !== item)
  return ok({ id, object: "invoiceitem", deleted: true })
}

const preview = (state: StripeState, form: Form): Reply => {
  const subscription = state.subscriptions.get(form["subscription"] ?? "")
  if (subscription === undefined || subscription.status === "canceled") return refused(404, "invoice_upcoming_none")
  const { end, items } = subscription
  const next = items.map((item) => state.lineOf(item, state.prices[item.price] ?? 0, end, end + 30 * 86_400))
  return ok(shownInvoice(state.draft(subscription, next), true))
}

const events = (state: StripeState, form: Form): Reply => {
  const types = new Set(Object.entries(form).flatMap(([name, value]) => name.startsWith("types[") ? [value] : []))
  const [gte, lt] = [Number(form["created[gte]"]), Number(form["created[lt]"])]
  const found = state.events.filter(({ created, type }) => created >= gte && created < lt && types.has(type))
  return listed(form, found.toReversed().map((event) => bodyOf(event)))
}

/** An event in the form of webhooks and lists. */
export const bodyOf = ({ created, id, object, type }: StripeState["events"][number]) => ({
  id,
  object: "event",
  api_version: "2026-10-28.endive",
  created,
  type,
  data: { object: { id: object } }
})

const beginCheckout = (state: StripeState, form: Form): Reply => {
  const price = form["line_items[0][price]"] ?? ""
  if (state.prices[price] === undefined || form["mode"] !== "subscription") return missing
  const id = state.id("cs")
  const url = `https://checkout.stripe.test/${id}`
  const metadata = metadataOf(form, /^subscription_data\[metadata\]\[(\w+)\]$/)
  state.checkouts.set(url, { price, metadata, back: form["success_url"] ?? "" })
  return ok({ id, object: "checkout.session", url })
}

type Route = readonly [method: string, path: RegExp, answer: (state: StripeState, form: Form, id: string) => Reply]

const found = <A>(thing: A | undefined, show: (thing: A) => unknown): Reply =>
  thing === undefined ? missing : ok(show(thing))

const routes: ReadonlyArray<Route> = [
  ["GET", /^\/v1\/subscriptions\/(\w+)$/, (state, _, id) => found(state.subscriptions.get(id), shownSubscription)],
  ["GET", /^\/v1\/subscription_items$/, (state, form) => {
    const subscription = state.subscriptions.get(form["subscription"] ?? "")
    if (subscription === undefined) return missing
    return listed(form, subscription.items.map((item) => shownItem(item, subscription)))
  }],
  ["POST", /^\/v1\/subscription_items$/, addItem],
  ["DELETE", /^\/v1\/subscription_items\/(\w+)$/, (state, _, id) => removeItem(state, id)],
  ["GET", /^\/v1\/invoiceitems$/, (state, form) => {
    const since = Number(form["created[gte]"])
    const own = state.invoiceItems.filter(({ customer, date }) => customer === form["customer"] && date >= since)
    return listed(form, own.toReversed().map(shownInvoiceItem))
  }],
  ["POST", /^\/v1\/invoiceitems$/, addInvoiceItem],
  ["DELETE", /^\/v1\/invoiceitems\/(\w+)$/, (state, _, id) => removeInvoiceItem(state, id)],
  ["POST", /^\/v1\/invoices\/create_preview$/, preview],
  ["GET", /^\/v1\/invoices$/, (state, form) => {
    const own = [...state.invoices.values()].filter(({ subscription }) => subscription === form["subscription"])
    return listed(form, own.toReversed().map((invoice) => shownInvoice(invoice)))
  }],
  [
    "GET",
    /^\/v1\/invoices\/(\w+)\/lines$/,
    (state, form, id) => listed(form, (state.invoices.get(id)?.lines ?? []).map(shownLine))
  ],
  ["GET", /^\/v1\/invoices\/(\w+)$/, (state, _, id) => found(state.invoices.get(id), (one) => shownInvoice(one))],
  [
    "GET",
    /^\/v1\/checkout\/sessions\/(\w+)$/,
    (state, _, id) => found(state.sessions.get(id), (session) => ({ id, object: "checkout.session", ...session }))
  ],
  ["POST", /^\/v1\/checkout\/sessions$/, beginCheckout],
  ["POST", /^\/v1\/billing_portal\/sessions$/, (state, form) =>
    ok({
      id: state.id("bps"),
      object: "billing_portal.session",
      url: `https://billing.stripe.test/${form["customer"]}?back=${form["return_url"]}`
    })],
  ["GET", /^\/v1\/events$/, events]
]

/** Handles a call: changes the state and answers as Stripe does. */
export const handle = (state: StripeState, { form, method, path }: Asked): Reply => {
  for (const [own, pattern, answer] of routes) {
    const match = own === method ? pattern.exec(path) : null
    if (match !== null) return answer(state, form, match[1] ?? "")
  }
  return refused(404, "url_invalid")
}
