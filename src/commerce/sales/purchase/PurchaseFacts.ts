import type { StudentId } from "../../../identity/ids/StudentId.ts"
import type { PurchaseFact, SoldProduct } from "../platform/Platform.ts"
import { noTimes, type PurchaseId, type PurchaseRow } from "./Purchase.ts"
import type { SubscriptionId } from "./Subscription.ts"

/** A purchase about which only the product and the student are known. */
export const newPurchase = ({ external_id, id, product, student_id, subscription_id }: {
  readonly id: PurchaseId
  readonly external_id: string
  readonly product: SoldProduct
  readonly student_id: StudentId
  readonly subscription_id: SubscriptionId | null
}): PurchaseRow => ({
  id,
  student_id,
  subscription_id,
  external_id,
  product_external_id: product.external_id,
  product_name: product.name,
  offer_external_id: product.offer_external_id,
  amount_cents: null,
  currency: null,
  payment_method: null,
  recurrence: null,
  lateness_key: null,
  period_end: null,
  ...noTimes
})

/** The values of an approval take precedence. Other facts only fill missing values. */
export const mergeFact = (row: PurchaseRow, { kind, purchase }: PurchaseFact): PurchaseRow => {
  const prefer = <A>(stated: A | null, known: A | null) => kind === "approved" ? stated ?? known : known ?? stated
  return {
    ...row,
    amount_cents: prefer(purchase.amount_cents, row.amount_cents),
    currency: prefer(purchase.currency, row.currency),
    payment_method: prefer(purchase.payment_method, row.payment_method),
    recurrence: prefer(purchase.recurrence, row.recurrence),
    lateness_key: prefer(purchase.lateness_key, row.lateness_key),
    period_end: prefer(purchase.period_end, row.period_end)
  }
}

/** The product of a purchase. */
export const productOf = (row: PurchaseRow): SoldProduct => ({
  external_id: row.product_external_id,
  name: row.product_name,
  offer_external_id: row.offer_external_id
})
