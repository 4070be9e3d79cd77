import { type DateTime, type Redacted, type Result, Schema } from "effect"
import type { Sentence } from "../../../platform/http/Locale.ts"

/** The supported sales platforms. */
export const PlatformKey = Schema.Literals(["hotmart", "kiwify", "stripe", "hubla", "eduzz", "generic"])
export type PlatformKey = typeof PlatformKey.Type

/** The buyer, or the student if the platform names both. */
export interface Buyer {
  readonly name: string
  /** In lower case. */
  readonly email: string
  readonly document: Redacted.Redacted | null
}

/** A sold product; ids as text. */
export interface SoldProduct {
  readonly external_id: string
  readonly name: string | null
  readonly offer_external_id: string | null
}

/** A recurring sale. */
export interface SoldSubscription {
  readonly external_id: string
  readonly plan_name: string | null
}

/** One charge. */
export interface SoldPurchase {
  /** The platform's id of the charge, the same in all its notices. */
  readonly external_id: string
  readonly amount_cents: number | null
  /** Upper case, such as BRL. */
  readonly currency: string | null
  readonly payment_method: string | null
  /** Which charge of a subscription it is, from 1. */
  readonly recurrence: number | null
  /** Names the lateness that its payment settles: the charge or the period. */
  readonly lateness_key: string | null
  /** The end of the access that this charge gives, if the platform names it. */
  readonly period_end: DateTime.Utc | null
}

interface Sale {
  /** The platform's time of the fact; null if it names no time. */
  readonly at: DateTime.Utc | null
  readonly buyer: Buyer | null
  /** The first is the main one. Empty if the platform names no product. */
  readonly products: ReadonlyArray<SoldProduct>
  readonly subscription: SoldSubscription | null
}

/** A fact about one charge. Without a buyer or a product it waits until the purchase is known. */
export interface PurchaseFact extends Sale {
  /** `dispute_won`: the chargeback no longer counts. */
  readonly kind: "approved" | "refunded" | "chargeback" | "dispute_won"
  readonly purchase: SoldPurchase
}

/** A charge is late. `lateness_key`: the charge or the period, the same for each attempt of the platform. */
export interface PastDueFact extends Sale {
  readonly kind: "past_due"
  readonly subscription: SoldSubscription
  readonly lateness_key: string
}

/**
 * A subscription ends. Access lasts until `period_end`, which is not in the future if it ends at once. Null: until the
 * end of the paid time, from charges or the mapping's days, or at once if neither names an end.
 */
export interface CanceledFact extends Sale {
  readonly kind: "canceled"
  readonly subscription: SoldSubscription
  readonly period_end: DateTime.Utc | null
}

/** Two names of one charge. */
export interface LinkFact {
  readonly kind: "linked"
  readonly alias: string
  readonly external_id: string
}

/** The facts that the events of all platforms are translated to (contract, purchase.* and subscription.*). */
export type SaleFact = PurchaseFact | PastDueFact | CanceledFact | LinkFact

/** A request as it came. Header names in lower case. */
export interface InboundRequest {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly query: URLSearchParams
  /** The bytes that are signed. */
  readonly body: Uint8Array
  /** When it was received. */
  readonly received_at: DateTime.Utc
}

/** The request was not signed with the secret of this address, or too long ago. */
export interface BadSignature {
  readonly _tag: "BadSignature"
}

/** The contents of a verified body. */
export interface Notice {
  /** The platform's own name of the event, at most 120 characters; `unknown` without one. */
  readonly event_name: string
  /** The platform's own id of this notice, if it has one. */
  readonly external_event_id: string | null
  /** The address of its person, even if the event is ignored: an erasure finds it by this. In lower case. */
  readonly person_email: string | null
  /** In order. Empty: nothing follows from it, the event is ignored. */
  readonly facts: ReadonlyArray<SaleFact>
}

/** A body of a known event lacks a required value. `detail` names the field, never a value. */
export interface UnreadableNotice {
  readonly _tag: "UnreadableNotice"
  readonly event_name: string
  readonly detail: string
  /** The address of its person, as in `Notice`: the body is kept, so an erasure has to find it. */
  readonly person_email: string | null
}

/** One platform: the verification and the reading of its requests. Pure; one file each. */
export interface Platform {
  readonly key: PlatformKey
  readonly name: string
  /** How a request is signed, for people, such as `HMAC-SHA256 of the body in x-signature`. */
  readonly signature: string
  /** The steps of an administrator on the platform. */
  readonly setup_steps: ReadonlyArray<string>
  /** The platform's names of the events that have an effect. */
  readonly events: ReadonlyArray<string>
  /**
   * The rule that a text breaks if it cannot be a secret of the platform; null if it can be one. Most platforms take
   * any text.
   */
  readonly checkSecret?: (secret: Redacted.Redacted) => Sentence | null
  /** The body without the platform's secret, if the platform writes it into the body. */
  readonly withoutSecret?: (json: Schema.Json) => Schema.Json
  readonly verify: (request: InboundRequest, secret: Redacted.Redacted) => Result.Result<void, BadSignature>
  /** Reads parsed JSON. Some platforms send an id in a header, so the request comes along. */
  readonly read: (json: Schema.Json, request: InboundRequest) => Result.Result<Notice, UnreadableNotice>
}
