import type { WebhookDeliveryId } from "../../model/WebhookDeliveryId.ts"
import type { WebhookDelivery } from "../delivery/Delivery.ts"

/** The state of each delivery that a reader knows, by id. */
export type SentStates = ReadonlyMap<WebhookDeliveryId, string>

const stateOf = (
  { attempts_count, cancel_reason, finished_at, last_attempt_at, next_attempt_at, payload_purged, status }:
    WebhookDelivery
) =>
  [
    status,
    cancel_reason,
    payload_purged,
    attempts_count,
    ...[next_attempt_at, last_attempt_at, finished_at].map((at) => at?.epochMilliseconds)
  ].join()

const isNew = (sent: SentStates) => (delivery: WebhookDelivery) => sent.get(delivery.id) !== stateOf(delivery)

/** The known deliveries that are not on the page any more, though no newer delivery has pushed them off. */
export const missingOf = (
  sent: SentStates,
  page: ReadonlyArray<WebhookDelivery>,
  limit: number
): ReadonlyArray<WebhookDeliveryId> => {
  const here = new Set(page.map(({ id }) => id))
  const last = page.length < limit ? undefined : page.at(-1)?.id
  return [...sent.keys()].filter((id) => !here.has(id) && (last === undefined || id > last))
}

/**
 * The changes to send now, oldest first, and the state that the reader then knows. `left` are the missing ones as they
 * are now.
 */
export const differences = (
  sent: SentStates,
  page: ReadonlyArray<WebhookDelivery>,
  left: ReadonlyArray<WebhookDelivery>
): { readonly changed: ReadonlyArray<WebhookDelivery>; readonly sent: SentStates } => ({
  changed: [...page, ...left].filter(isNew(sent)).toSorted((one, other) => one.id < other.id ? -1 : 1),
  sent: new Map(page.map((delivery) => [delivery.id, stateOf(delivery)]))
})
