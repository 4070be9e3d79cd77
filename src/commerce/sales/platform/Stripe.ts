import { DateTime, type Redacted } from "effect"
import { timestampTolerance } from "../../../webhooks/send/Signature.ts"
import { type FactReader, inboundEventReader, valueAt } from "./InboundEventReader.ts"
import type { InboundRequest, Platform } from "./Platform.ts"
import { invoiceFailed, invoicePaid, invoicePaymentPaid } from "./StripeInvoices.ts"
import { chargeRefunded, disputeClosed, disputeCreated, sessionPaid } from "./StripePayments.ts"
import { subscriptionDeleted, subscriptionUpdated } from "./StripeSubscriptions.ts"
import { isAnyHmac, verdict } from "./Verification.ts"

const factReaders: ReadonlyMap<string, FactReader> = new Map([
  ["checkout.session.completed", sessionPaid],
  ["checkout.session.async_payment_succeeded", sessionPaid],
  ["invoice.paid", invoicePaid],
  ["invoice.payment_failed", invoiceFailed],
  ["invoice_payment.paid", invoicePaymentPaid],
  ["customer.subscription.updated", subscriptionUpdated],
  ["customer.subscription.deleted", subscriptionDeleted],
  ["charge.refunded", chargeRefunded],
  ["charge.dispute.created", disputeCreated],
  ["charge.dispute.closed", disputeClosed]
])

/** `t=<seconds>,v1=<hex>,v1=<hex>`: while a secret is rolled, there is a signature for each. */
const isSigned = ({ body, headers, received_at }: InboundRequest, secret: Redacted.Redacted): boolean => {
  const parts = (headers["stripe-signature"] ?? "").split(",").map((part) => part.trim())
  const valuesOf = (key: string) =>
    parts.filter((part) => part.startsWith(`${key}=`)).map((part) => part.slice(key.length + 1))
  const [seconds = ""] = valuesOf("t")
  if (!/^\d{1,15}$/.test(seconds)) return false
  const age = Math.floor(DateTime.toEpochMillis(received_at) / 1000) - Number(seconds)
  if (Math.abs(age) > timestampTolerance) return false
  return isAnyHmac("sha256", valuesOf("v1"), secret, `${seconds}.`, body)
}

/** Stripe. Test mode is processed like any other: an address of ours belongs to one endpoint, which has one mode. */
export const stripe: Platform = {
  key: "stripe",
  name: "Stripe",
  signature: "HMAC-SHA256 of time and body in Stripe-Signature, for 5 minutes",
  setup_steps: [
    "In the Stripe dashboard, open Developers, then Webhooks, and choose “Add destination”.",
    "Select the events listed here and paste this address.",
    "Reveal the signing secret (whsec_…) and enter it here as the secret.",
    "For single payments, give the Checkout session the metadata “product_id”, or map the payment link (plink_…)."
  ],
  events: [...factReaders.keys()],
  verify: (request, secret) => verdict(isSigned(request, secret)),
  read: inboundEventReader({
    name: "type",
    eventId: (json) => valueAt(json, "id"),
    persons: [
      "data.object.customer_details.email",
      "data.object.customer_email",
      "data.object.billing_details.email",
      "data.object.receipt_email",
      "data.object.email",
      "data.object.evidence.customer_email_address"
    ],
    factReaders
  })
}
