import type { Notice, SaleFact, SoldProduct, UnreadableNotice } from "../platform/Platform.ts"

/** A new event, with the fields that find, order and later erase it. */
export interface NewInboundEvent {
  readonly event_name: string
  readonly external_event_id: string | null
  /** Events with the same key are processed in the order of their arrival; null: no other event has its key. */
  readonly order_key: string | null
  /** The platform's id of the purchase or subscription that it may have to wait for. */
  readonly purchase_ref: string | null
  readonly products: ReadonlyArray<Pick<SoldProduct, "external_id" | "name" | "offer_external_id">>
  readonly person_email: string | null
  /** Null: it is still to be processed. */
  readonly outcome: "ignored" | "failed" | null
  readonly detail: string | null
}

/** Text that PostgreSQL can store, of at most so many characters. */
const cut = (text: string, most: number): string =>
  [...text.toWellFormed().replaceAll("\u0000", "")].slice(0, most).join("")

const subscriptionOf = (fact: SaleFact) => fact.kind === "linked" ? null : fact.subscription?.external_id ?? null

const purchaseOf = (fact: SaleFact) => {
  if (fact.kind === "linked") return fact.external_id
  return "purchase" in fact ? fact.purchase.external_id : null
}

const firstOf = (facts: ReadonlyArray<SaleFact>, of: (fact: SaleFact) => string | null) =>
  facts.map(of).find((id) => id !== null) ?? null

const productsOf = (facts: ReadonlyArray<SaleFact>) =>
  facts.flatMap((fact) => fact.kind === "linked" ? [] : fact.products).map((
    { external_id, name, offer_external_id }
  ) => ({
    external_id: cut(external_id, 200),
    name: name === null ? null : cut(name, 200),
    offer_external_id: offer_external_id === null ? null : cut(offer_external_id, 200)
  }))

/** With this the order key begins of an event that is about a purchase without a subscription. */
export const purchaseOrder = "purchase:"

/** The event of a notice. Without facts it is ignored. */
export const eventOfNotice = ({ event_name, external_event_id, facts, person_email }: Notice): NewInboundEvent => {
  const subscription = firstOf(facts, subscriptionOf)
  const purchase = firstOf(facts, purchaseOf)
  const shared = subscription === null ? purchase && `${purchaseOrder}${purchase}` : `subscription:${subscription}`
  const waitsFor = purchase ?? subscription
  return {
    event_name: cut(event_name, 120),
    external_event_id: external_event_id === null ? null : cut(external_event_id, 200),
    order_key: shared === null ? null : cut(shared, 300),
    purchase_ref: waitsFor === null ? null : cut(waitsFor, 200),
    products: productsOf(facts),
    person_email,
    outcome: facts.length === 0 ? "ignored" : null,
    detail: null
  }
}

/** The event of a body that cannot be understood, for a person to look at. */
export const eventOfUnreadable = ({ detail, event_name, person_email }: UnreadableNotice): NewInboundEvent => ({
  event_name: cut(event_name, 120),
  external_event_id: null,
  order_key: null,
  purchase_ref: null,
  products: [],
  person_email,
  outcome: "failed",
  detail: cut(detail, 300)
})
