import type { Change } from "./Journal.ts"
import { pathOf, type Post } from "./Network.ts"
import {
  type Delivery,
  deliveryOf,
  type Endpoint,
  endpointOf,
  type Lane,
  laneOf,
  type PreviousSecret,
  previousSecretOf,
  type Shadow
} from "./Shadow.ts"

/** Secrets of an endpoint as the API showed them, newest first; null once one was never shown. */
export type Secrets = ReadonlyMap<string, ReadonlyArray<string> | null>

/** Headers of an endpoint's own: what they may be. */
export type OwnHeaders = ReadonlyMap<string, ReadonlyArray<Readonly<Record<string, string>>>>

/** What is known when requests are judged. */
export interface Known {
  readonly now: number
  /** Before the changes. */
  readonly shadow: Shadow
  readonly changes: ReadonlyArray<Change>
  readonly secrets: Secrets
  readonly headers: OwnHeaders
  /** Nobody has died or stood still lately, so every lane has one owner. */
  readonly isCalm: boolean
}

/** All that rows were while a request may have been decided on. */
export interface Versions {
  readonly endpoints: ReadonlyArray<Endpoint>
  /** Secrets that were replaced before the changes, and those that were by them. */
  readonly previous: ReadonlyArray<PreviousSecret>
  readonly replaced: ReadonlyArray<PreviousSecret>
  readonly lanes: ReadonlyArray<Lane>
  readonly deliveries: ReadonlyArray<Delivery>
}

/** Of all that a request is about, oldest first. */
export const versionsOf = (post: Post, { changes, shadow }: Known): Versions => {
  const path = pathOf(post.url)
  const event = post.headers["webhook-id"]
  const rows = (table: string) => changes.flatMap(({ is, what }) => what === table && is !== undefined ? [is] : [])
  const endpoints = [...shadow.endpoints.values(), ...rows("webhook_endpoints").map(endpointOf)]
    .filter(({ url }) => pathOf(url) === path)
  const ids = new Set(endpoints.map(({ id }) => id))
  const lanes = [...shadow.lanes.values(), ...rows("webhook_lanes").map(laneOf)]
    .filter(({ endpoint }) => ids.has(endpoint))
  const deliveries = [...shadow.deliveries.values(), ...rows("webhook_deliveries").map(deliveryOf)]
    .filter((delivery) => ids.has(delivery.endpoint) && delivery.event === event)
  const ofThese = ({ endpoint }: PreviousSecret) => ids.has(endpoint)
  const previous = [...shadow.previousSecrets.values()].filter(ofThese)
  const replaced = rows("webhook_previous_secrets").map(previousSecretOf).filter(ofThese)
  return { endpoints, previous, replaced, lanes, deliveries }
}
