import { Schema } from "effect"
import { eventData } from "../../../events/EventData.ts"
import { personalData } from "../../../identity/people/PersonalData.ts"

// The API answers with the same fields as the events of a sale.

/** A charge of a student. */
export const Purchase = Schema.Struct(eventData["purchase.paid"].fields.purchase.fields).annotate({
  identifier: "Purchase",
  description: "A charge on a sales platform; charges of one subscription share `subscription_id`",
  ...personalData
})
export type Purchase = typeof Purchase.Type

/** A recurring sale to a student. */
export const Subscription = Schema.Struct(eventData["subscription.past_due"].fields.subscription.fields).annotate({
  identifier: "Subscription",
  description: "A recurring sale on a sales platform",
  ...personalData
})
export type Subscription = typeof Subscription.Type
