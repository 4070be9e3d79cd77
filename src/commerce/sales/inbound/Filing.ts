import { createHash } from "node:crypto"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { Notice, SaleFact, SoldProduct, UnreadableNotice } from "../platform/Platform.ts"

/** Under what an event is filed, so that it is found, kept in order and, one day, forgotten. */
export interface Filed {
  readonly event_name: string
  readonly external_event_id: string | null
  /** Events that share it are processed in the order of their arrival; null: it shares it with none. */
  readonly order_key: string | null
  /** What it may have to wait for: the purchase, or the subscription, as the platform calls it. */
  readonly purchase_ref: string | null
  readonly products: ReadonlyArray<Pick<SoldProduct, "external_id" | "offer_external_id">>
  readonly person_email: string | null
  /** Null: it is to be processed. */
  readonly outcome: "ignored" | "failed" | null
  readonly detail: string | null
}

/** As PostgreSQL can store it, in at most so many characters. */
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
  facts.flatMap((fact) => fact.kind === "linked" ? [] : fact.products).map(({ external_id, offer_external_id }) => ({
    external_id: cut(external_id, 200),
    offer_external_id: offer_external_id === null ? null : cut(offer_external_id, 200)
  }))

/** Files what a platform says. Without facts it is ignored. */
export const fileNotice = ({ event_name, external_event_id, facts, person_email }: Notice): Filed => {
  const subscription = firstOf(facts, subscriptionOf)
  const purchase = firstOf(facts, purchaseOf)
  const shared = subscription === null ? purchase && `purchase:${purchase}` : `subscription:${subscription}`
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

/** Files what cannot be understood, for a person to look at. */
export const fileUnreadable = ({ detail, event_name, person_email }: UnreadableNotice): Filed => ({
  event_name: cut(event_name, 120),
  external_event_id: null,
  order_key: null,
  purchase_ref: null,
  products: [],
  person_email,
  outcome: "failed",
  detail: cut(detail, 300)
})

/** Finds what is kept about a person in a club without keeping the address. */
export const personKey = (club_id: ClubId, email: string): Uint8Array =>
  createHash("sha256").update(`${club_id}:${email}`).digest()

/** Tells the same bytes again. */
export const bodyHash = (body: Uint8Array): Uint8Array => createHash("sha256").update(body).digest()
