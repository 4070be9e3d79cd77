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

/** The possible own headers of each endpoint. */
export type OwnHeaders = ReadonlyMap<string, ReadonlyArray<Readonly<Record<string, string>>>>

/** The state by which requests are judged. */
export interface Known {
  readonly now: number
  /** The state before the changes. */
  readonly shadow: Shadow
  readonly changes: ReadonlyArray<Change>
  readonly secrets: Secrets
  readonly headers: OwnHeaders
  /** True if no process died or froze lately. Then every lane has one owner. */
  readonly isCalm: boolean
}

/** All versions of the rows that a worker may have read before a request. */
export interface Versions {
  readonly endpoints: ReadonlyArray<Endpoint>
  /** Secrets replaced before the changes, and secrets replaced by them. */
  readonly previous: ReadonlyArray<PreviousSecret>
  readonly replaced: ReadonlyArray<PreviousSecret>
  readonly lanes: ReadonlyArray<Lane>
  readonly deliveries: ReadonlyArray<Delivery>
}

/** The versions of all rows that a request is about, oldest first. */
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
